#include "host/table/snapshot.h"

#include "base/mem.h"
#include "host/table/internal.h"

static void take_note(struct snapshot *s, const char *note, const char *house) {
    lounge_note_read(strcmp(s->protocol, LOUNGE_PROTOCOL) == 0 ? note : house, &s->note);
    s->clocks = s->note.clocks;
}

/* What the protocol of the table has besides, or instead. */
static void snapshot_take_clocks(struct snapshot *s, const struct table *t) {
    if (table_turn_ms(t) != 0)
        s->clocks.turn_ms = table_turn_ms(t);
    if (table_game_ms(t) == 0)
        return;
    s->clocks.game_ms = table_game_ms(t);
    s->clocks.increment_ms = table_increment_ms(t);
}

static void snapshot_take_seat(struct snapshot *s, unsigned seat, const char *name, const char *note) {
    s->names[seat] = name;
    s->faces[seat] = lounge_face_of(s->protocol, name, note);
    s->free_seats += s->faces[seat].kind == LOUNGE_FREE;
    /* A program of our own is always there. */
    s->is_online[seat] = s->faces[seat].kind == LOUNGE_MACHINE;
}

static const char *why_of(enum event_outcome outcome, enum event_reason reason) {
    if (outcome == OUTCOME_UNDECIDED)
        return "undecided";
    return outcome == OUTCOME_PLAYED ? "played" : record_reason(reason);
}

void snapshot_of_table(const struct table *t, struct snapshot *s) {
    bool is_over = table_state_word(t) == TABLE_OVER;
    *s = (struct snapshot){
        .table = table_id(t),
        .game = table_game(t),
        .options = table_options(t),
        .truth = table_state(t),
        .live = t,
        .version = table_version(t),
        .protocol = table_protocol(t),
        .made_ms = table_created_ms(t),
        .violation_loses = table_violation_loses(t),
        .has_clock = !is_over && (table_turn_ms(t) != 0 || table_game_ms(t) != 0),
        .is_over = is_over,
        .mixed_seq = table_mixed_seq(t),
    };
    table_commitment(t, &s->commitment);
    take_note(s, table_setup_note(t), table_house_note(t));
    if (!is_over)
        snapshot_take_clocks(s, t);
    for (unsigned seat = 0; seat < s->options->seat_count; seat++) {
        snapshot_take_seat(s, seat, table_name(t, seat), table_note(t, seat));
        s->tokens[seat] = table_token(t, seat);
        s->seeds[seat] = table_seed(t, seat);
        s->left_ms[seat] = s->has_clock ? table_left_ms(t, seat) : 0;
        s->is_online[seat] = s->is_online[seat] || (!is_over && table_is_online(t, seat));
        s->is_claimable[seat] = s->faces[seat].kind == LOUNGE_PERSON && table_is_claimable(t, seat);
    }
    if (!is_over)
        return;
    s->why = why_of(table_outcome(t), table_loss_reason(t));
    table_points(t, s->points);
}

void snapshot_of_fold(const struct fold *f, struct snapshot *s) {
    *s = (struct snapshot){
        .table = f->table,
        .game = f->game,
        .options = &f->setup.options,
        .truth = f->state,
        .version = f->last_seq,
        .protocol = f->setup.protocol,
        .made_ms = f->created_ms,
        .violation_loses = f->setup.violation_loses,
        .is_over = f->is_finished,
        .commitment = f->setup.commitment,
        .mixed_seq = f->dice.mixed_seq,
    };
    take_note(s, f->setup.note, f->setup.house);
    for (unsigned seat = 0; seat < s->options->seat_count; seat++) {
        snapshot_take_seat(s, seat, f->seats[seat]->name, f->seats[seat]->note);
        s->tokens[seat] = f->seats[seat]->token;
        s->seeds[seat] = f->seats[seat]->seed;
    }
    if (!s->is_over)
        return;
    s->why = why_of(f->result->outcome, f->loser_reason);
    memcpy(s->points, f->result->points, sizeof s->points);
}

void snapshot_take_seats(struct snapshot *s, const struct snapshot *from) {
    memcpy(s->names, from->names, sizeof s->names);
    memcpy(s->tokens, from->tokens, sizeof s->tokens);
    memcpy(s->seeds, from->seeds, sizeof s->seeds);
    s->mixed_seq = from->mixed_seq;
    memcpy(s->faces, from->faces, sizeof s->faces);
    memcpy(s->is_online, from->is_online, sizeof s->is_online);
    memcpy(s->is_claimable, from->is_claimable, sizeof s->is_claimable);
    s->free_seats = from->free_seats;
}

const char *snapshot_state(const struct snapshot *s) {
    if (s->is_over)
        return "finished";
    return s->free_seats > 0 ? "open" : "running";
}

unsigned snapshot_seat(const struct snapshot *s, const struct digest *token) {
    static const struct digest none;
    unsigned found = SEAT_WATCHER;
    for (unsigned seat = 0; seat < s->options->seat_count; seat++) {
        bool is_equal = digest_equal(s->tokens[seat] == NULL ? &none : s->tokens[seat], token);
        if (is_equal && s->tokens[seat] != NULL)
            found = seat;
    }
    return found;
}

struct game_view *snapshot_view(const struct snapshot *s, unsigned seat) {
    struct game_view *view = (struct game_view *)game_state_alloc(s->game);
    game_view(s->game, s->truth, seat, view);
    return view;
}

void snapshot_describe(const struct snapshot *s, unsigned viewer, struct writer *w) {
    const struct game *game = s->game;
    if (viewer == VIEWER_ALL || !game_has_secrets(game)) {
        game->describe((const struct game_view *)s->truth, w);
    } else if (s->live != NULL) {
        game->describe(table_view(s->live, viewer), w);
    } else {
        struct game_view *view = snapshot_view(s, viewer);
        game->describe(view, w);
        mem_free(view);
    }
}

seat_set snapshot_turn(const struct snapshot *s) {
    return s->is_over ? 0 : s->game->turn(s->truth) & (SEAT_BIT(SEAT_CHANCE) - 1);
}

bool snapshot_is_chance(const struct snapshot *s) {
    return s->game->turn(s->truth) == SEAT_BIT(SEAT_CHANCE);
}

size_t snapshot_legal(const struct snapshot *s, unsigned seat, struct action *out) {
    return s->game->legal(s->truth, seat, out);
}

void snapshot_sample(const struct snapshot *s, unsigned seat, struct rng *rng, struct action *out) {
    s->game->sample(s->truth, seat, rng, out);
}

void snapshot_format(const struct snapshot *s, unsigned seat, const struct action *action,
                     char text[ACTION_TEXT_BYTES_MAX]) {
    s->game->action_format(s->truth, seat, action, text);
}

enum err snapshot_try(struct snapshot *s, unsigned seat, const struct span *texts, size_t count,
                      struct rng *rng, struct trial *out) {
    struct game_state *world = game_state_alloc(s->game);
    game_view(s->game, s->truth, seat, (struct game_view *)world);
    trial_imagine(s->game, (struct game_view *)world, seat, rng);
    s->truth = world;
    s->live = NULL;
    return trial_play(s->game, world, seat, texts, count, out);
}

void snapshot_end(struct snapshot *s) {
    mem_free((void *)(uintptr_t)s->truth);
    s->truth = NULL;
}
