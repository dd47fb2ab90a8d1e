/* The words for journals of cups. */
#include "base/mem.h"
#include "cli/journal/tool.h"

#include <inttypes.h>

static const char *cup_name_of(const struct cup_fold *f, uint32_t entrant,
                               char text[EVENT_NAME_BYTES_MAX + 1]) {
    name_text(cup_fold_name(f, entrant), text);
    return text;
}

static void cup_points_words(uint32_t parts, struct buf *out) {
    buf_printf(out, "%u", parts / CUP_POINT);
    if (parts % CUP_POINT != 0)
        buf_printf(out, ".%02u", parts % CUP_POINT * 100 / CUP_POINT);
}

void cup_standing_words(const struct cup_fold *f, struct buf *out) {
    char name[EVENT_NAME_BYTES_MAX + 1];
    if (f->about.format == 0)
        return;
    name_text(f->about.name, name);
    buf_printf(out, "%s, %s: %s", name, f->format->word, cup_state_word(f->phase));
    struct cup_standing *rows = cup_fold_standings(f);
    for (uint32_t i = 0; i < f->sheet.entrant_count; i++) {
        buf_printf(out, "%s %s", i == 0 ? ";" : ",", cup_name_of(f, rows[i].entrant, name));
        if (f->phase != CUP_OPEN)
            buf_append_byte(out, ' ');
        if (f->phase != CUP_OPEN)
            cup_points_words(rows[i].points, out);
    }
    mem_free(rows);
}

static bool cup_first_words(const struct event *event, struct buf *out) {
    struct event_cup about;
    char name[EVENT_NAME_BYTES_MAX + 1];
    if (event_cup_read(event->body, &about) != ERR_OK)
        return false;
    const struct cup_format *format = cup_format_of(about.number);
    name_text(about.name, name);
    buf_printf(out, "%s: ", name);
    name_text(about.game, name);
    buf_printf(out, "%s, %s, %u seats, %u s a turn, %u tables at a time", name,
               format == NULL ? "?" : format->word, about.options.seat_count, about.turn_ms / 1000,
               about.tables_max);
    if (about.rounds != 0)
        buf_printf(out, ", %u rounds", about.rounds);
    return true;
}

static bool cup_entrant_words(const struct event *event, struct buf *out) {
    struct event_cup_entrant entrant;
    char name[EVENT_NAME_BYTES_MAX + 1];
    if (event_cup_entrant_read(event->body, &entrant) != ERR_OK)
        return false;
    name_text(entrant.name, name);
    buf_printf(out, "%s enters", name);
    if (entrant.bot_level != 0)
        buf_printf(out, ", a bot of level %u", entrant.bot_level);
    else if (entrant.is_client)
        buf_append_text(out, ", a client of the protocol");
    return true;
}

static bool cup_gone_words(const struct cup_fold *f, const struct event *event, struct buf *out) {
    struct event_cup_gone gone;
    char name[EVENT_NAME_BYTES_MAX + 1];
    if (event_cup_gone_read(event->body, &gone) != ERR_OK)
        return false;
    buf_printf(out, "%s %s", cup_name_of(f, gone.entrant, name),
               gone.is_disqualified ? "is disqualified" : "withdraws");
    return true;
}

static bool cup_round_words(const struct cup_fold *f, const struct event *event, struct buf *out) {
    struct event_cup_round *round = mem_alloc(sizeof *round);
    bool is_read = event_cup_round_read(event->body, round) == ERR_OK;
    char name[EVENT_NAME_BYTES_MAX + 1], code[TABLE_CODE_CHARS + 1];
    for (uint32_t i = 0; i < round->count && is_read; i++) {
        const struct event_cup_pairing *p = &round->pairings[i];
        if (i == 0)
            buf_printf(out, "round %u", p->round);
        buf_append_text(out, i == 0 ? ": " : "; ");
        for (uint32_t seat = 0; seat < p->count; seat++)
            buf_printf(out, "%s%s", seat == 0 ? "" : " - ", cup_name_of(f, p->entrant[seat], name));
        table_code_format(p->table, code);
        buf_printf(out, p->count == 1 ? " rests" : " at %s", code);
    }
    mem_free(round);
    return is_read;
}

static bool cup_result_words(const struct cup_fold *f, const struct event *event, struct buf *out) {
    struct event_cup_result r;
    char name[EVENT_NAME_BYTES_MAX + 1];
    if (event_cup_result_read(event->body, &r) != ERR_OK || r.pairing >= f->sheet.pairing_count)
        return false;
    const struct cup_pairing *p = &f->sheet.pairings[r.pairing];
    struct cup_pairing decided = *p;
    if (r.how == CUP_WALKOVER)
        cup_walkover(&f->sheet, &decided);
    else
        cup_share(p->count, r.results, decided.points);
    for (uint32_t seat = 0; seat < p->count; seat++) {
        buf_printf(out, "%s%s ", seat == 0 ? "" : ", ", cup_name_of(f, p->entrant[seat], name));
        cup_points_words(decided.points[seat], out);
    }
    if (r.loser < p->count) {
        buf_printf(out, "; %s: %s%s%s%s", r.reason, r.rule[0] == '\0' ? "" : "(", r.rule,
                   r.rule[0] == '\0' ? "" : ") ", r.why);
        journal_cause_words(r.sent, r.has_stamps ? &r.stamps : NULL, out);
    }
    return true;
}

static bool cup_replay_words(const struct cup_fold *f, const struct event *event, struct buf *out) {
    struct event_cup_replay replay;
    char name[EVENT_NAME_BYTES_MAX + 1], code[TABLE_CODE_CHARS + 1];
    if (event_cup_replay_read(event->body, &replay) != ERR_OK || replay.pairing >= f->sheet.pairing_count)
        return false;
    const struct cup_pairing *p = &f->sheet.pairings[replay.pairing];
    for (uint32_t seat = 0; seat < p->count; seat++)
        buf_printf(out, "%s%s", seat == 0 ? "" : " - ", cup_name_of(f, p->entrant[seat], name));
    table_code_format(replay.table, code);
    buf_printf(out, " again, at %s", code);
    return true;
}

static bool cup_state_words(const struct event *event, struct buf *out) {
    static const char *const words[] = {
        [CUP_STEP_BEGIN] = "begins", [CUP_STEP_PAUSE] = "is paused", [CUP_STEP_RESUME] = "goes on"};
    enum event_cup_step step;
    if (event_cup_state_read(event->body, &step) != ERR_OK)
        return false;
    buf_append_text(out, words[step]);
    return true;
}

bool cup_words(const struct cup_fold *f, const struct event *event, struct buf *out) {
    switch (event->kind) {
    case EVENT_CUP: return cup_first_words(event, out);
    case EVENT_CUP_ENTRANT: return cup_entrant_words(event, out);
    case EVENT_CUP_GONE: return cup_gone_words(f, event, out);
    case EVENT_CUP_STATE: return cup_state_words(event, out);
    case EVENT_CUP_ROUND: return cup_round_words(f, event, out);
    case EVENT_CUP_RESULT: return cup_result_words(f, event, out);
    case EVENT_CUP_REPLAY: return cup_replay_words(f, event, out);
    case EVENT_CUP_CLOSE: cup_standing_words(f, out); return true;
    default: return false;
    }
}
