#include "host/table/fold.h"

#include "base/mem.h"

#include <assert.h>

enum { FOLD_BODY_SPARE_MAX = 64 }; /* bytes that the memory for the last body may be too large */

static const struct fold_seat nobody = {.name = "", .note = "", .seed = ""};
static const struct event_result no_result;

void fold_init(struct fold *f, uint64_t table) {
    *f = (struct fold){.table = table,
                       .find = game_by_name,
                       .setup = {.protocol = "", .note = "", .house = ""},
                       .loser = SEAT_WATCHER,
                       .result = &no_result};
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        f->seats[seat] = &nobody;
}

static void seat_free(const struct fold_seat *seat) {
    if (seat != &nobody)
        mem_free((void *)(uintptr_t)seat);
}

void fold_free(struct fold *f) {
    mem_free(f->state);
    mem_free(f->before);
    mem_free(f->last_body);
    mem_free(f->setup.texts);
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        seat_free(f->seats[seat]);
    if (f->result != &no_result)
        mem_free((void *)(uintptr_t)f->result);
    fold_init(f, f->table);
}

/* Three texts in one piece of memory, which is given, behind so many bytes for something else. */
static char *texts_keep(size_t before_bytes, const char *const texts[3], const char *kept[3]) {
    size_t sizes[3], size = before_bytes;
    for (int i = 0; i < 3; i++) {
        sizes[i] = strlen(texts[i]) + 1;
        size += sizes[i];
    }
    char *memory = mem_alloc(size), *to = memory + before_bytes;
    for (int i = 0; i < 3; i++) {
        memcpy(to, texts[i], sizes[i]);
        kept[i] = to;
        to += sizes[i];
    }
    return memory;
}

static enum err fold_refuse(struct fold *f, enum err e, const char *complaint) {
    f->complaint = complaint;
    return e;
}

static void setup_keep(struct fold_setup *out, const struct event_setup *setup) {
    *out = (struct fold_setup){.format = setup->format,
                               .rules_version = setup->rules_version,
                               .options = setup->options,
                               .violation_loses = setup->violation_loses,
                               .has_given = setup->has_given,
                               .waits_for_seats = setup->waits_for_seats,
                               .turn_timeout_ms = setup->turn_timeout_ms,
                               .commitment = setup->commitment};
    const char *kept[3];
    out->texts = texts_keep(0, (const char *const[]){setup->protocol, setup->note, setup->house}, kept);
    out->protocol = kept[0];
    out->note = kept[1];
    out->house = kept[2];
}

static enum err fold_take_setup(struct fold *f, const struct event *event) {
    struct event_setup setup;
    if (f->setup.format != 0)
        return fold_refuse(f, ERR_EVENT_ORDER, "a second set-up");
    if (event_setup_read(event->body, &setup) != ERR_OK)
        return fold_refuse(f, ERR_MALFORMED, "the set-up cannot be read, or is of a newer format");
    const struct game *game = f->find == NULL ? f->game : f->find(span_of(setup.game));
    if (game == NULL || !game_knows_rules(game, setup.rules_version))
        return fold_refuse(f, ERR_RULES_UNKNOWN,
                           game == NULL ? "no such game" : "another version of the rules");
    struct game_state *state = game_state_alloc(game);
    setup.options.rules_version = setup.rules_version;
    enum err e = game->setup(state, &setup.options);
    if (e != ERR_OK) {
        mem_free(state);
        return fold_refuse(f, e, "the options of the set-up");
    }
    f->game = game;
    f->state = state;
    f->created_ms = event->time_ms;
    setup_keep(&f->setup, &setup);
    return ERR_OK;
}

seat_set fold_taken(const struct fold *f) {
    seat_set taken = 0;
    for (unsigned seat = 0; seat < f->setup.options.seat_count; seat++)
        taken |= f->seats[seat]->name[0] != '\0' ? SEAT_BIT(seat) : 0;
    return taken;
}

unsigned fold_free_seats(const struct fold *f) {
    return f->setup.options.seat_count - (unsigned)__builtin_popcount(fold_taken(f));
}

bool fold_may_change(const struct fold *f, unsigned seat) {
    return !f->has_begun || (fold_free_seats(f) > 0 && (f->acted & SEAT_BIT(seat)) == 0);
}

/* Gives; that of nobody, who is not freed, when the seat is free again. */
static const struct fold_seat *seat_keep(const struct event_seat *seat) {
    if (seat->name[0] == '\0')
        return &nobody;
    size_t digests = (size_t)seat->has_token + (size_t)seat->has_home;
    const char *kept[3];
    void *memory = texts_keep(sizeof(struct fold_seat) + digests * sizeof(struct digest),
                              (const char *const[]){seat->name, seat->note, seat->seed}, kept);
    struct fold_seat *out = memory;
    struct digest *to = (void *)(out + 1);
    *out = (struct fold_seat){.name = kept[0], .note = kept[1], .seed = kept[2]};
    if (seat->has_home) {
        *to = seat->home;
        out->home = to++;
    }
    if (seat->has_token) {
        *to = seat->token;
        out->token = to;
    }
    return out;
}

static enum err fold_take_seat(struct fold *f, const struct event *event) {
    struct event_seat seat;
    if (event_seat_read(event->body, &seat) != ERR_OK)
        return fold_refuse(f, ERR_MALFORMED, "the seat cannot be read");
    if (seat.seat >= f->setup.options.seat_count)
        return fold_refuse(f, ERR_FIELD_INVALID, "the table has no such seat");
    if (f->seats[seat.seat]->name[0] != '\0' && !fold_may_change(f, seat.seat))
        return fold_refuse(f, ERR_EVENT_ORDER, "a seat that changes hands after the first action");
    f->acted &= ~SEAT_BIT(seat.seat);
    seat_free(f->seats[seat.seat]);
    f->seats[seat.seat] = seat_keep(&seat);
    if (seat.is_drawn && f->drawn_count++ == 0) {
        f->drawn_seq = event->seq;
        f->drawn_dice = f->dice;
    }
    return ERR_OK;
}

/* Plays the actions of an event on f->state as far as the rules allow. */
static enum err fold_play(struct fold *f, const struct event_action *action, const struct fold_steps *steps) {
    const struct game *game = f->game;
    bool is_watched = steps != NULL && steps->played != NULL;
    for (size_t i = 0; i < action->action_count; i++) {
        if (!game_may_act(game, f->state, action->seat))
            return game->turn(f->state) == 0 ? ERR_TABLE_OVER : ERR_NOT_YOUR_TURN;
        enum err e = game->check(f->state, action->seat, &action->actions[i]);
        if (e != ERR_OK)
            return e;
        if (is_watched)
            memcpy(steps->before, f->state, game->state_size);
        game->apply(f->state, action->seat, &action->actions[i]);
        if (is_watched)
            steps->played(steps->context, action->seat, &action->actions[i]);
    }
    return ERR_OK;
}

/* One action is checked before it is applied anyway; several are played on a copy, which is the state while
 * they are. */
static enum err play_all(struct fold *f, const struct event_action *action, const struct fold_steps *steps) {
    if (action->action_count == 1)
        return fold_play(f, action, steps);
    struct game_state *kept = f->state, *trial = steps != NULL ? steps->trial : game_state_alloc(f->game);
    memcpy(trial, kept, f->game->state_size);
    f->state = trial;
    enum err e = fold_play(f, action, steps);
    f->state = kept;
    if (e == ERR_OK)
        memcpy(kept, trial, f->game->state_size);
    if (steps == NULL)
        mem_free(trial);
    return e;
}

/* Whether an outcome of chance may be one that the table was given: an imported table, and one that goes on
 * from another as long as nobody sits there, so that nobody plays with outcomes that were chosen. */
static bool may_be_given(const struct fold *f) {
    return strcmp(f->setup.protocol, "import") == 0 || (f->setup.has_given && fold_taken(f) == 0);
}

/* What was played elsewhere, before anybody sat here, was charged there. */
static void fold_count_time(struct fold *f, const struct event_action *action) {
    f->answered |= SEAT_BIT(action->seat);
    if (!action->has_time || fold_free_seats(f) > 0)
        return;
    f->used_ms[action->seat] += action->used_ms;
    f->turns[action->seat] += action->ends_turn;
}

static enum err fold_take_actions(struct fold *f, const struct event *event, const struct fold_steps *steps) {
    struct event_action action;
    if (event_action_read(event->body, &action) != ERR_OK)
        return fold_refuse(f, ERR_MALFORMED, "the action cannot be read");
    if ((event->kind == EVENT_CHANCE) != (action.seat == SEAT_CHANCE))
        return fold_refuse(f, ERR_MALFORMED, "chance in place of a seat, or a seat in place of chance");
    if (action.is_given && !may_be_given(f))
        return fold_refuse(f, ERR_EVENT_ORDER, "a given outcome of chance at a table where it must be drawn");
    enum err e = play_all(f, &action, steps);
    if (e != ERR_OK)
        return fold_refuse(f, e, "the rules refuse the action");
    f->plies += action.action_count;
    if (event->kind == EVENT_ACTION) {
        f->has_begun = true;
        f->acted |= SEAT_BIT(action.seat);
        fold_count_time(f, &action);
    }
    return ERR_OK;
}

/* What the rules make of a seat whose player is away, back or gone for good. */
static bool attend(struct fold *f, unsigned seat, enum attendance attendance,
                   const struct fold_steps *steps) {
    bool is_watched = steps != NULL && steps->attended != NULL;
    if (is_watched)
        memcpy(steps->before, f->state, f->game->state_size);
    if (!f->game->attend(f->state, seat, attendance))
        return false;
    if (is_watched)
        steps->attended(steps->context, seat, attendance);
    return true;
}

static enum err fold_take_loss(struct fold *f, const struct event *event, const struct fold_steps *steps) {
    struct event_forfeit forfeit;
    if (event_forfeit_read(event->body, &forfeit) != ERR_OK ||
        (event->kind == EVENT_TIMEOUT) != (forfeit.reason == 0))
        return fold_refuse(f, ERR_MALFORMED, "the forfeit cannot be read");
    if (forfeit.seat >= f->setup.options.seat_count)
        return fold_refuse(f, ERR_FIELD_INVALID, "the table has no such seat");
    if ((f->retired & SEAT_BIT(forfeit.seat)) != 0)
        return fold_refuse(f, ERR_EVENT_ORDER, "a seat that was given up before");
    if (attend(f, forfeit.seat, SEAT_RETIRED, steps)) {
        f->retired |= SEAT_BIT(forfeit.seat);
        return ERR_OK;
    }
    f->loser = forfeit.seat;
    f->loser_reason = forfeit.reason;
    return ERR_OK;
}

static enum err take_attendance(struct fold *f, const struct event *event, const struct fold_steps *steps) {
    struct event_attendance attendance;
    if (event_attendance_read(event->body, &attendance) != ERR_OK)
        return fold_refuse(f, ERR_MALFORMED, "the attendance cannot be read");
    if (attendance.seat >= f->setup.options.seat_count)
        return fold_refuse(f, ERR_FIELD_INVALID, "the table has no such seat");
    if (!attend(f, attendance.seat, attendance.attendance, steps))
        return fold_refuse(f, ERR_EVENT_ORDER, "the rules know nothing of players that are away");
    return ERR_OK;
}

/* A forfeit of before the rules were asked who wins by it, perhaps at a table that still waited for players.
 */
static void older_loss(const struct fold *f, int32_t points[SEATS_MAX]) {
    for (unsigned seat = 0; seat < f->setup.options.seat_count; seat++)
        points[seat] = seat != f->loser;
}

static bool result_follows(const struct fold *f, const struct event_result *result) {
    struct event_result right;
    if (result->seat_count != f->setup.options.seat_count)
        return false;
    fold_result(f, &right);
    if (result->all_others_win && right.outcome == OUTCOME_FORFEITED)
        older_loss(f, right.points);
    else if (right.outcome == OUTCOME_FORFEITED && fold_free_seats(f) > 0)
        return false;
    return right.outcome == result->outcome && memcmp(right.points, result->points, sizeof right.points) == 0;
}

static enum err take_result(struct fold *f, const struct event *event) {
    struct event_result result;
    if (event_result_read(event->body, &result) != ERR_OK)
        return fold_refuse(f, ERR_MALFORMED, "the result cannot be read");
    if (!result_follows(f, &result))
        return fold_refuse(f, ERR_RESULT_WRONG, NULL);
    struct event_result *kept = mem_alloc(sizeof *kept);
    *kept = result;
    f->result = kept;
    f->is_finished = true;
    return ERR_OK;
}

static enum err fold_take(struct fold *f, const struct event *event, const struct fold_steps *steps) {
    if (event->kind != EVENT_SETUP && f->setup.format == 0)
        return fold_refuse(f, ERR_EVENT_ORDER, "the first event is not a set-up");
    if (f->is_finished)
        return fold_refuse(f, ERR_EVENT_ORDER, "an event after the result");
    if (fold_is_over(f) && event->kind != EVENT_RESULT)
        return fold_refuse(f, ERR_EVENT_ORDER, "the table is over, only its result can follow");
    switch (event->kind) {
    case EVENT_SETUP: return fold_take_setup(f, event);
    case EVENT_SEAT: return fold_take_seat(f, event);
    case EVENT_ACTION:
    case EVENT_CHANCE: return fold_take_actions(f, event, steps);
    case EVENT_TIMEOUT:
    case EVENT_FORFEIT: return fold_take_loss(f, event, steps);
    case EVENT_ATTENDANCE: return take_attendance(f, event, steps);
    case EVENT_RESULT: return take_result(f, event);
    case EVENT_CHAMPIONSHIP:
    case EVENT_ENTRANT:
    case EVENT_PAIR:
    case EVENT_WITHDRAWAL:
    case EVENT_CLOSE:
    case EVENT_CUP:
    case EVENT_CUP_ENTRANT:
    case EVENT_CUP_GONE:
    case EVENT_CUP_STATE:
    case EVENT_CUP_ROUND:
    case EVENT_CUP_RESULT:
    case EVENT_CUP_REPLAY:
    case EVENT_CUP_CLOSE: return fold_refuse(f, ERR_EVENT_ORDER, "an event of a championship at a table");
    }
    return fold_refuse(f, ERR_MALFORMED, "no such kind of event");
}

/* The bodies of moves are of almost the same size: memory is taken for the first of them, and the set-up's,
 * which is large, is given back then. */
static void event_keep(struct fold *f, const struct event *event) {
    size_t size = event->body.size, spare = FOLD_BODY_SPARE_MAX;
    if (f->last_body_bytes < size || f->last_body_bytes - size > spare) {
        f->last_body = mem_resize(f->last_body, size);
        f->last_body_bytes = size;
    }
    if (size > 0)
        memcpy(f->last_body, event->body.data, size);
    f->last = *event;
    f->last.body = span_make(f->last_body, size);
}

enum err fold_event(struct fold *f, const struct event *event) {
    return fold_event_steps(f, event, NULL);
}

enum err fold_event_steps(struct fold *f, const struct event *event, const struct fold_steps *steps) {
    bool is_chained = steps != NULL && steps->is_chained && event->seq == f->last_seq + 1;
    if (!is_chained && !event_is_next(event, f->table, f->last_seq, &f->last_hash, &f->complaint))
        return ERR_CHAIN;
    if (f->state != NULL) {
        if (f->before == NULL)
            f->before = game_state_alloc(f->game);
        memcpy(f->before, f->state, f->game->state_size);
    }
    enum err e = fold_take(f, event, steps);
    if (e != ERR_OK)
        return e;
    event_keep(f, event);
    dice_follow(&f->dice, event);
    f->last_seq = event->seq;
    f->last_hash = event->hash;
    f->last_ms = event->time_ms;
    return ERR_OK;
}

bool fold_is_over(const struct fold *f) {
    return f->loser != SEAT_WATCHER || (f->state != NULL && f->game->turn(f->state) == 0);
}

bool fold_has_given_up(const struct fold *f, unsigned seat) {
    if (seat >= SEATS_MAX)
        return false;
    return (f->retired & SEAT_BIT(seat)) != 0 || (f->loser == seat && f->loser_reason != REASON_VIOLATION);
}

void fold_loss(const struct game *game, const struct game_state *state, seat_set present, unsigned loser,
               int32_t points[SEATS_MAX]) {
    seat_set winners = game->rivals(state, loser) & present;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        points[seat] = (winners & SEAT_BIT(seat)) != 0;
}

void fold_result(const struct fold *f, struct event_result *out) {
    *out = (struct event_result){.outcome = OUTCOME_UNDECIDED, .seat_count = f->setup.options.seat_count};
    if (f->loser != SEAT_WATCHER) {
        out->outcome = OUTCOME_FORFEITED;
        fold_loss(f->game, f->state, fold_taken(f) & ~f->retired, f->loser, out->points);
    } else if (fold_is_over(f)) {
        int32_t points[SEATS_MAX] = {0};
        out->outcome = OUTCOME_PLAYED;
        f->game->score(f->state, points);
        memcpy(out->points, points, out->seat_count * sizeof points[0]);
    }
}

static bool digest_is_zero(const struct digest *d) {
    static const struct digest zero;
    return digest_equal(d, &zero);
}

bool fold_has_dice(const struct fold *f) {
    return !digest_is_zero(&f->setup.commitment);
}

static enum err check_commitment(const struct digest *commitment, uint64_t table,
                                 const struct digest *secret) {
    struct digest right;
    dice_commit(&right, table, secret);
    return digest_equal(&right, commitment) ? ERR_OK : ERR_DICE_WRONG;
}

bool fold_secret_fits(const struct fold *f, const struct digest *secret) {
    return !fold_has_dice(f) || check_commitment(&f->setup.commitment, f->table, secret) == ERR_OK;
}

bool fold_lost_secret(const struct digest *commitment, const struct event_result *result) {
    return !digest_is_zero(commitment) && result->outcome == OUTCOME_UNDECIDED &&
           digest_is_zero(&result->secret);
}

/* All outcomes of one event come from one draw, in order. */
static enum err fold_check_chance(const struct fold *f, const struct event *event,
                                  const struct digest *secret) {
    struct event_action action;
    struct rng rng;
    if (event_action_read(event->body, &action) != ERR_OK || f->game == NULL)
        return ERR_MALFORMED;
    if (action.is_given)
        return ERR_OK;
    struct game_state *trial = game_state_alloc(f->game);
    memcpy(trial, f->state, f->game->state_size);
    dice_draw(&rng, f->table, secret, &f->dice, event->seq, "chance");
    enum err e = ERR_OK;
    for (size_t i = 0; i < action.action_count && e == ERR_OK; i++) {
        struct action drawn = {0};
        if (!game_may_act(f->game, trial, SEAT_CHANCE)) {
            e = ERR_DICE_WRONG;
            break;
        }
        f->game->sample(trial, SEAT_CHANCE, &rng, &drawn);
        if (action_equal(&drawn, &action.actions[i]))
            f->game->apply(trial, SEAT_CHANCE, &drawn);
        else
            e = ERR_DICE_WRONG;
    }
    mem_free(trial);
    return e;
}

/* Drawn seats stand in a row, in the order of coming; the first of them has the number of the draw. */
static enum err check_seat(const struct fold *f, const struct event *event, const struct digest *secret) {
    struct event_seat seat;
    unsigned joined[SEATS_MAX], count = f->setup.options.seat_count;
    if (event_seat_read(event->body, &seat) != ERR_OK || count == 0)
        return ERR_MALFORMED;
    if (!seat.is_drawn)
        return ERR_OK;
    if (f->drawn_count >= count)
        return ERR_DICE_WRONG;
    uint64_t first_seq = f->drawn_count == 0 ? event->seq : f->drawn_seq;
    if (event->seq != first_seq + f->drawn_count)
        return ERR_DICE_WRONG;
    dice_seats(f->table, secret, f->drawn_count == 0 ? &f->dice : &f->drawn_dice, first_seq, count, joined);
    return joined[f->drawn_count] == seat.seat ? ERR_OK : ERR_DICE_WRONG;
}

/* A table without dice has committed to nothing, so nothing at it may have been drawn. */
static enum err check_without_dice(const struct event *event) {
    struct event_seat seat;
    struct event_action action;
    if (event->kind == EVENT_SEAT && event_seat_read(event->body, &seat) == ERR_OK)
        return seat.is_drawn ? ERR_DICE_WRONG : ERR_OK;
    if (event->kind == EVENT_CHANCE && event_action_read(event->body, &action) == ERR_OK)
        return action.is_given ? ERR_OK : ERR_DICE_WRONG;
    return event->kind == EVENT_SEAT || event->kind == EVENT_CHANCE ? ERR_MALFORMED : ERR_OK;
}

enum err fold_check_dice(const struct fold *f, const struct event *event, const struct digest *secret) {
    struct event_setup setup;
    if (!fold_has_dice(f) && event->kind != EVENT_SETUP)
        return check_without_dice(event);
    struct event_result result;
    switch (event->kind) {
    case EVENT_SETUP:
        if (event_setup_read(event->body, &setup) != ERR_OK)
            return ERR_MALFORMED;
        return digest_is_zero(&setup.commitment) ? ERR_OK
                                                 : check_commitment(&setup.commitment, f->table, secret);
    case EVENT_SEAT: return check_seat(f, event, secret);
    case EVENT_CHANCE: return fold_check_chance(f, event, secret);
    case EVENT_RESULT:
        if (event_result_read(event->body, &result) != ERR_OK)
            return ERR_MALFORMED;
        return check_commitment(&f->setup.commitment, f->table, &result.secret);
    default: return ERR_OK;
    }
}
