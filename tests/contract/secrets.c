/* The checks of the secrets: nothing that a viewer may not know leaves a game through any of its functions.
 * The second world that looks the same to a viewer comes from imagine. */
#include "checker.h"

#include "base/mem.h"

#include <stdio.h>

#define COMPLAIN(w, ...) (snprintf((w)->note, sizeof(w)->note, __VA_ARGS__), (w)->note)

static struct game_state *state_of(struct game_view *view) {
    return (struct game_state *)view;
}

/* Calls look for every seat and for a watcher, until one complains. */
static const char *each_viewer(struct walk *w, const char *(*look)(struct walk *, unsigned viewer)) {
    const char *wrong = look(w, SEAT_WATCHER);
    for (unsigned viewer = 0; viewer < w->options.seat_count && wrong == NULL; viewer++)
        wrong = look(w, viewer);
    return wrong;
}

/* Puts the view into w->view, and into w->other a world that looks the same to the viewer. */
static void imagine_world(struct walk *w, unsigned viewer) {
    game_view(w->game, w->state, viewer, w->view);
    memcpy(w->other, w->view, w->game->state_size);
    w->game->imagine((struct game_view *)w->other, viewer, &w->rng);
}

static const char *redact_twice_for(struct walk *w, unsigned viewer) {
    game_view(w->game, w->state, viewer, w->view);
    game_view(w->game, state_of(w->view), viewer, (struct game_view *)w->scratch);
    if (memcmp(w->view, w->scratch, w->game->state_size) != 0)
        return COMPLAIN(w, "redacting a view again changes it for viewer %u", viewer);
    return NULL;
}

static const char *redact_is_idempotent(struct walk *w) {
    return each_viewer(w, redact_twice_for);
}

static const char *imagine_for(struct walk *w, unsigned viewer) {
    imagine_world(w, viewer);
    const char *broken = w->game->valid(w->other);
    if (broken != NULL)
        return COMPLAIN(w, "viewer %u imagines a world that cannot be: %s", viewer, broken);
    game_view(w->game, w->other, viewer, (struct game_view *)w->scratch);
    if (memcmp(w->view, w->scratch, w->game->state_size) != 0)
        return COMPLAIN(w, "the world that viewer %u imagines does not look like the real one", viewer);
    return NULL;
}

static const char *imagine_agrees(struct walk *w) {
    return each_viewer(w, imagine_for);
}

static void describe_world(const struct walk *w, const struct game_state *state, unsigned viewer,
                           struct buf *out) {
    struct game_view *view = (struct game_view *)game_state_alloc(w->game);
    struct writer writer;
    game_view(w->game, state, viewer, view);
    for (int form = WRITER_JSON; form <= WRITER_TEXT; form++) {
        writer_init(&writer, (enum writer_form)form, out);
        w->game->describe(view, &writer);
        buf_append_byte(out, '\n');
    }
    mem_free(view);
}

static const char *describe_for(struct walk *w, unsigned viewer) {
    struct buf real = {0}, imagined = {0};
    imagine_world(w, viewer);
    describe_world(w, w->state, viewer, &real);
    describe_world(w, w->other, viewer, &imagined);
    bool is_same = span_equal(buf_span(&real), buf_span(&imagined));
    buf_free(&real);
    buf_free(&imagined);
    return is_same ? NULL
                   : COMPLAIN(w, "describe tells viewer %u two worlds apart that look the same", viewer);
}

static const char *describe_is_blind(struct walk *w) {
    return each_viewer(w, describe_for);
}

/* Whose turn it is, and what one may do oneself, is no secret: a client sees it in its view. */
static const char *own_turn_for(struct walk *w, unsigned viewer) {
    imagine_world(w, viewer);
    if (w->game->turn(w->other) != w->game->turn(w->state) ||
        w->game->turn(state_of(w->view)) != w->game->turn(w->state))
        return COMPLAIN(w, "whose turn it is depends on what viewer %u may not know", viewer);
    struct action *seen = mem_alloc(w->game->actions_max * sizeof *seen);
    size_t count = w->game->legal(w->state, viewer, w->actions);
    bool is_same = w->game->legal(w->other, viewer, seen) == count;
    if (is_same && count != LEGAL_UNLISTED)
        is_same = memcmp(seen, w->actions, count * sizeof *seen) == 0;
    mem_free(seen);
    return is_same ? NULL : COMPLAIN(w, "what viewer %u may do depends on what it may not know", viewer);
}

static const char *own_turn_is_known(struct walk *w) {
    return each_viewer(w, own_turn_for);
}

enum { FORESEEN_WORLDS = 8 }; /* that are imagined for each action */

/* The view of the viewer after the action in this world, into out. */
static void look_after(struct walk *w, const struct game_state *world, unsigned viewer,
                       const struct action *action, struct game_view *out) {
    memcpy(w->scratch, world, w->game->state_size);
    w->game->apply(w->scratch, viewer, action);
    game_view(w->game, w->scratch, viewer, out);
}

/* An action that is said to be foreseen shows the same in every world that could be, the real one included.
 */
static const char *foresee_one(struct walk *w, unsigned viewer, const struct action *action) {
    const char *wrong = NULL;
    struct game_view *real = (struct game_view *)game_state_alloc(w->game),
                     *seen = (struct game_view *)game_state_alloc(w->game);
    game_view(w->game, w->state, viewer, w->view);
    bool is_foreseen = w->game->foresee(w->view, viewer, action);
    if (is_foreseen)
        look_after(w, w->state, viewer, action, real);
    for (unsigned i = 0; i < FORESEEN_WORLDS && is_foreseen && wrong == NULL; i++) {
        imagine_world(w, viewer);
        look_after(w, w->other, viewer, action, seen);
        if (memcmp(real, seen, w->game->state_size) != 0)
            wrong = COMPLAIN(w, "what seat %u sees after its action depends on what it may not know", viewer);
    }
    mem_free(real);
    mem_free(seen);
    return wrong;
}

static const char *foresee_for(struct walk *w, unsigned viewer) {
    const char *wrong = NULL;
    if (viewer == SEAT_WATCHER || !game_may_act(w->game, w->state, viewer))
        return NULL;
    struct action sampled;
    size_t count = w->game->legal(w->state, viewer, w->actions);
    w->game->sample(w->state, viewer, &w->rng, &sampled);
    if (count == LEGAL_UNLISTED)
        return foresee_one(w, viewer, &sampled);
    enum { LOOKED_MAX = 8 }; /* of a long list only some */
    for (size_t i = 0; i < count && i < LOOKED_MAX && wrong == NULL; i++)
        wrong = foresee_one(w, viewer,
                            &w->actions[count <= LOOKED_MAX ? i : rng_below(&w->rng, (uint32_t)count)]);
    return wrong;
}

static const char *foresee_is_sound(struct walk *w) {
    return each_viewer(w, foresee_for);
}

/* Any action, legal or not, is read and judged alike in all worlds that look the same: a refusal tells its
 * player nothing new. */
static const char *refusal_for(struct walk *w, unsigned viewer) {
    struct action action, parsed, parsed_other;
    char text[ACTION_TEXT_BYTES_MAX];
    if (viewer == SEAT_WATCHER || !game_may_act(w->game, w->state, viewer))
        return NULL;
    imagine_world(w, viewer);
    w->game->sample(w->state, viewer, &w->rng, &action);
    if (rng_below(&w->rng, 4) != 0)
        action.arg[rng_below(&w->rng, 4)] = (uint8_t)rng_below(&w->rng, 24);
    if (rng_below(&w->rng, 8) == 0)
        action.kind = (uint8_t)rng_below(&w->rng, 24);
    if (w->game->check(w->state, viewer, &action) != w->game->check(w->other, viewer, &action))
        return COMPLAIN(w, "a refusal tells seat %u what it may not know", viewer);
    w->game->action_format(w->state, viewer, &action, text);
    enum err e = w->game->action_parse(w->state, viewer, span_of(text), &parsed);
    enum err e_other = w->game->action_parse(w->other, viewer, span_of(text), &parsed_other);
    bool is_same = e == e_other && (e != ERR_OK || action_equal(&parsed, &parsed_other));
    return is_same ? NULL
                   : COMPLAIN(w, "how a text of seat %u is read depends on what it may not know", viewer);
}

static const char *refusal_is_blind(struct walk *w) {
    return each_viewer(w, refusal_for);
}

static const char *redact_one(struct walk *w, unsigned actor, const struct action *action, unsigned viewer) {
    struct action once = *action, twice, imagined = *action;
    w->game->redact_action(w->state, actor, &once, viewer);
    twice = once;
    w->game->redact_action(w->state, actor, &twice, viewer);
    w->game->redact_action(w->other, actor, &imagined, viewer);
    if (!action_equal(&once, &twice))
        return COMPLAIN(w, "redacting an action of %u again changes it for viewer %u", actor, viewer);
    if (!action_equal(&once, &imagined))
        return COMPLAIN(w, "how an action of %u is redacted tells viewer %u a secret", actor, viewer);
    if (actor == viewer && !action_equal(&once, action))
        return COMPLAIN(w, "seat %u is not shown its own action", actor);
    char text[ACTION_TEXT_BYTES_MAX], text_imagined[ACTION_TEXT_BYTES_MAX];
    w->game->action_format(w->state, actor, &once, text);
    w->game->action_format(w->other, actor, &once, text_imagined);
    if (strcmp(text, text_imagined) != 0)
        return COMPLAIN(w, "the text of a redacted action of %u tells viewer %u a secret", actor, viewer);
    return NULL;
}

static const char *redact_action_for(struct walk *w, unsigned viewer) {
    const char *wrong = NULL;
    imagine_world(w, viewer);
    for (unsigned actor = 0; actor <= SEAT_CHANCE && wrong == NULL; actor++) {
        struct action action;
        if (!game_may_act(w->game, w->state, actor))
            continue;
        w->game->sample(w->state, actor, &w->rng, &action);
        wrong = redact_one(w, actor, &action, viewer);
    }
    return wrong;
}

static const char *redact_action_is_sound(struct walk *w) {
    return each_viewer(w, redact_action_for);
}

const struct contract_check secret_checks[] = {
    {"redact twice is redact once", redact_is_idempotent, redact_is_idempotent},
    {"imagined worlds are possible and look the same", imagine_agrees, imagine_agrees},
    {"describe shows no secret", describe_is_blind, describe_is_blind},
    {"one's own turn is no secret", own_turn_is_known, own_turn_is_known},
    {"a refusal tells no secret", refusal_is_blind, NULL},
    {"what is foreseen is so in all worlds", foresee_is_sound, NULL},
    {"redacted actions show no secret", redact_action_is_sound, NULL},
    {0},
};
