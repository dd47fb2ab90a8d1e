/* What is asked of a cup: judged on what is on disk, one after the other. */
#include "base/mem.h"
#include "base/utf8.h"
#include "host/cup/internal.h"

#include <utlist.h>

static const char cup_not_now[] =
    "the championship has begun, or has not, or is paused, or is not: look at its state";

void cup_request_answer(struct cup *c, enum err why, const char *reason) {
    struct cups *cups = c->cups;
    struct cup_request *r = c->queue;
    bool is_entry = !r->opens && r->kind == CUPS_ENTER && why == ERR_OK;
    DL_DELETE(c->queue, r);
    c->queue_count--;
    if (r->ticket != NULL)
        cups->output.answer(
            cups->output.context, r->ticket,
            &(struct cups_answer){.why = why,
                                  .reason = reason,
                                  .cup = why == ERR_OK ? &c->fold : NULL,
                                  .entrant = is_entry ? r->name : NULL,
                                  .token = r->token[0] != '\0' && why == ERR_OK ? r->token : NULL});
    mem_free(r);
}

static enum err cup_request_refuse(struct cup_request *r, enum err why, const char *reason) {
    r->reason = reason;
    return why;
}

static enum err cup_judge_entrant(struct cup *c, struct cup_request *r, struct cup_batch *b) {
    const struct cup_fold *f = &c->fold;
    struct span name = span_of(r->name);
    struct event_cup_entrant entrant = {.bot_level = r->bot_level, .is_client = r->is_client};
    struct buf body = {0};
    if (f->phase != CUP_OPEN && !f->format->takes_late)
        return cup_request_refuse(r, ERR_NOT_ASKED, "the championship has begun, and takes no more entrants");
    if (r->is_client && strcmp(f->about.protocol, LOUNGE_PROTOCOL) == 0)
        return cup_request_refuse(
            r, ERR_FIELD_INVALID,
            "client: the tables of this championship are those of the API, and clients of "
            "other protocols could not come to them");
    if (f->sheet.entrant_count >= CUP_ENTRANTS_MAX)
        return cup_request_refuse(r, ERR_TOO_MANY, "a championship has at most 256 entrants");
    if (span_trim(name).size == 0 || !utf8_is_valid(name) || !utf8_is_one_line(name) ||
        utf8_length(name) > LOUNGE_NAME_CHARS_MAX)
        return cup_request_refuse(r, ERR_FIELD_INVALID, "name has from 1 to 50 characters");
    if (cup_fold_named(f, name) < f->sheet.entrant_count)
        return cup_request_refuse(r, ERR_FIELD_INVALID, "name: an entrant has this name");
    memcpy(entrant.name, r->name, sizeof entrant.name);
    if (r->keeps_token && cups_entrant_of(f, &r->hash) < f->sheet.entrant_count)
        return cup_request_refuse(r, ERR_FIELD_INVALID, "the entrant of this token has entered");
    if (r->keeps_token)
        entrant.token = r->hash;
    else if (r->bot_level == 0)
        token_make(r->token, &entrant.token);
    event_cup_entrant_write(&body, &entrant);
    cup_batch_add(b, EVENT_CUP_ENTRANT, &body);
    return ERR_OK;
}

static enum err cup_judge_gone(struct cup *c, struct cup_request *r, struct cup_batch *b) {
    const struct cup_fold *f = &c->fold;
    struct event_cup_gone gone = {.entrant = cup_fold_named(f, span_of(r->name)),
                                  .is_disqualified = r->kind == CUPS_DISQUALIFY};
    struct buf body = {0};
    if (gone.entrant == f->sheet.entrant_count || f->sheet.is_gone[gone.entrant])
        return cup_request_refuse(r, ERR_PLAYER_UNKNOWN, "there is no such entrant, or it has gone before");
    memcpy(gone.why, r->why, sizeof gone.why);
    event_cup_gone_write(&body, &gone);
    cup_batch_add(b, EVENT_CUP_GONE, &body);
    return ERR_OK;
}

enum err cups_may(const struct cup_fold *f, enum cups_wish_kind kind) {
    enum cup_state from = kind == CUPS_BEGIN ? CUP_OPEN : kind == CUPS_PAUSE ? CUP_RUNNING : CUP_PAUSED;
    return cup_fold_is_closed(f)                     ? ERR_TABLE_OVER
           : kind == CUPS_CANCEL || f->phase == from ? ERR_OK
                                                     : ERR_NOT_ASKED;
}

static enum err cup_judge_step(struct cup *c, struct cup_request *r, struct cup_batch *b) {
    const struct cup_fold *f = &c->fold;
    enum event_cup_step step = r->kind == CUPS_BEGIN   ? CUP_STEP_BEGIN
                               : r->kind == CUPS_PAUSE ? CUP_STEP_PAUSE
                                                       : CUP_STEP_RESUME;
    struct buf body = {0};
    if (cups_may(f, r->kind) != ERR_OK)
        return cup_request_refuse(r, ERR_NOT_ASKED, cup_not_now);
    if (r->kind == CUPS_BEGIN && f->sheet.entrant_count < CUP_ENTRANTS_MIN)
        return cup_request_refuse(r, ERR_NOT_ASKED, "a championship needs two entrants to begin");
    if (r->kind == CUPS_BEGIN && f->format->tables(&f->sheet) > CUP_PAIRINGS_MAX)
        return cup_request_refuse(r, ERR_TOO_MANY, "so many entrants would need more than 8192 tables");
    event_cup_state_write(&body, step);
    cup_batch_add(b, EVENT_CUP_STATE, &body);
    return ERR_OK;
}

static enum err cup_judge_replay(struct cup *c, struct cup_request *r, struct cup_batch *b) {
    struct buf body = {0};
    if (c->fold.phase != CUP_RUNNING && c->fold.phase != CUP_PAUSED)
        return cup_request_refuse(r, ERR_NOT_ASKED, cup_not_now);
    if (!cup_fold_may_replay(&c->fold, r->pairing))
        return cup_request_refuse(
            r, ERR_FIELD_INVALID,
            "pairing: there is no such table to be played again, or a later round stands on "
            "what came of it");
    event_cup_replay_write(&body, &(struct event_cup_replay){r->pairing, cup_new_table(c)});
    cup_batch_add(b, EVENT_CUP_REPLAY, &body);
    return ERR_OK;
}

enum err cup_request_judge(struct cup *c, struct cup_request *r, struct cup_batch *b) {
    struct buf body = {0};
    if (r->opens) {
        event_cup_write(&body, &r->about);
        cup_batch_add(b, EVENT_CUP, &body);
        return ERR_OK;
    }
    if (cup_fold_is_closed(&c->fold))
        return cup_request_refuse(r, ERR_TABLE_OVER, "the championship is over");
    switch (r->kind) {
    case CUPS_ENTER: return cup_judge_entrant(c, r, b);
    case CUPS_LEAVE:
    case CUPS_DISQUALIFY: return cup_judge_gone(c, r, b);
    case CUPS_BEGIN:
    case CUPS_PAUSE:
    case CUPS_RESUME: return cup_judge_step(c, r, b);
    case CUPS_REPLAY: return cup_judge_replay(c, r, b);
    case CUPS_CANCEL: break;
    }
    event_close_write(&body, &(struct event_close){OUTCOME_UNDECIDED});
    cup_batch_add(b, EVENT_CUP_CLOSE, &body);
    return ERR_OK;
}

void cups_wish(struct cups *cups, const struct cups_wish *wish, void *ticket, uint64_t now_ms) {
    struct cup *c = cup_find(cups, wish->cup);
    struct cup_request *r = mem_alloc(sizeof *r);
    cups->now_ms = now_ms;
    enum err e = c == NULL || c->is_broken || cups->is_stopped ? ERR_TABLE_UNKNOWN
                 : c->queue_count >= CUPS_REQUESTS_MAX         ? ERR_TOO_MANY
                                                               : ERR_OK;
    if (e == ERR_OK && (!span_copy(wish->name, r->name, sizeof r->name) ||
                        !span_copy(wish->why, r->why, sizeof r->why) || !utf8_is_valid(wish->why)))
        e = ERR_FIELD_INVALID;
    if (e != ERR_OK) {
        if (ticket != NULL)
            cups->output.answer(cups->output.context, ticket, &(struct cups_answer){.why = e});
        mem_free(r);
        return;
    }
    r->ticket = ticket;
    r->kind = wish->kind;
    r->bot_level = wish->bot_level;
    r->is_client = wish->is_client;
    r->pairing = wish->pairing;
    r->keeps_token = wish->token != NULL;
    if (wish->token != NULL)
        r->hash = *wish->token;
    DL_APPEND(c->queue, r);
    c->queue_count++;
    cup_pump(c);
}
