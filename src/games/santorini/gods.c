/* The thirty gods: one row each of the small functions that struct santorini_row names. Nothing here knows
 * another god; what two of them do to each other follows from who is asked when (turn.c). */
#include "games/santorini/internal.h"

enum { TWO_SEATS = 1 << 2, TWO_OR_THREE = 1 << 2 | 1 << 3 };

static bool is_untouched(const struct santorini *s, unsigned builder) {
    return s->builds == 0 && (s->actor == SANTORINI_NOBODY || s->actor == builder);
}

/* The cell that a step from one cell to its neighbour leads to next, or SANTORINI_NOWHERE off the board. */
static unsigned cell_beyond(unsigned from, unsigned to) {
    int row = 2 * (int)(to / SANTORINI_SIDE) - (int)(from / SANTORINI_SIDE);
    int column = 2 * (int)(to % SANTORINI_SIDE) - (int)(from % SANTORINI_SIDE);
    if (row < 0 || row >= SANTORINI_SIDE || column < 0 || column >= SANTORINI_SIDE)
        return SANTORINI_NOWHERE;
    return (unsigned)(row * SANTORINI_SIDE + column);
}

static bool santorini_is_free(const struct santorini *s, unsigned cell) {
    return cell != SANTORINI_NOWHERE && !cell_is_in(cell, cells_occupied(s) | s->dome);
}

static void builder_shift(struct santorini *s, unsigned from, unsigned to) {
    unsigned builder, seat = santorini_owner(s, from, &builder);
    s->builder[seat][builder] = (uint8_t)to;
}

/* R21: Apollo changes places. */

static cell_set apollo_invades(const struct santorini *s, unsigned builder, cell_set cells) {
    (void)s;
    (void)builder;
    return cells;
}

static void apollo_displaces(struct santorini *s, unsigned from, unsigned to) {
    builder_shift(s, to, from);
}

/* R22: Artemis moves twice, not back. */

static bool artemis_may_move(const struct santorini *s, unsigned builder) {
    return is_untouched(s, builder) && s->moves < 2;
}

static cell_set artemis_moves(const struct santorini *s, unsigned builder, cell_set cells) {
    return s->moves == 0 ? cells : cells & ~CELL_BIT(s->start[builder]);
}

/* R23: while Athena's last turn went up, nobody else moves up. */

static cell_set athena_hinders_move(const struct santorini *s, unsigned owner, unsigned builder,
                                    cell_set cells) {
    if (!(s->climbed >> owner & 1))
        return cells;
    return cells & cells_up_to(s, santorini_height(s, santorini_cell(s, builder)));
}

/* R24: Atlas builds domes at any height. */

static void atlas_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    cell_set time = turn_is_build(s, builder) ? CELLS_ALL : 0;
    sites->block &= time;
    sites->dome = sites->free & time;
}

/* Sites of a second build by the same builder: the given cells, once the first build is made. */
static void second_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites,
                          cell_set second_blocks, cell_set second_domes) {
    bool is_second = s->builds == 1 && s->actor == builder, is_first = turn_is_build(s, builder);
    sites->block &= is_first ? CELLS_ALL : is_second ? second_blocks : 0;
    sites->dome &= is_first ? CELLS_ALL : is_second ? second_domes : 0;
}

/* R25: Demeter's second build stands elsewhere. */
static void demeter_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    cell_set others = s->builds == 0 ? 0 : CELLS_ALL & ~CELL_BIT(s->first_built);
    second_builds(s, builder, sites, others, others);
}

/* R26: Hephaestus' second block goes on top of the first. */
static void hephaestus_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    second_builds(s, builder, sites, s->builds == 0 ? 0 : CELL_BIT(s->first_built), 0);
}

/* R27: Hermes walks on the level with both builders, as far as he likes. */

static bool hermes_may_move(const struct santorini *s, unsigned builder) {
    (void)builder;
    return s->builds == 0 && !s->changed_level && s->moves < SANTORINI_MOVES_MAX;
}

static void hermes_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    bool is_time = s->changed_level ? turn_is_build(s, builder) : s->builds == 0 && turn_may_stop(s);
    if (!is_time)
        *sites = (struct santorini_sites){0};
}

/* R28: Minotaur pushes straight on. */

static cell_set minotaur_invades(const struct santorini *s, unsigned builder, cell_set cells) {
    cell_set open = 0;
    EACH_CELL(cell, cells)
    if (santorini_is_free(s, cell_beyond(santorini_cell(s, builder), cell)))
        open |= CELL_BIT(cell);
    return open;
}

static void minotaur_displaces(struct santorini *s, unsigned from, unsigned to) {
    builder_shift(s, to, cell_beyond(from, to));
}

/* R29: Pan also wins by moving down two levels or more. */
static bool pan_wins(const struct santorini *s, unsigned builder, unsigned from, unsigned to) {
    (void)builder;
    return santorini_height(s, from) >= santorini_height(s, to) + 2;
}

/* R30: Prometheus builds before moving when he does not move up. */

static cell_set prometheus_moves(const struct santorini *s, unsigned builder, cell_set cells) {
    if (s->early == 0)
        return cells;
    return cells & cells_up_to(s, santorini_height(s, santorini_cell(s, builder)));
}

static void prometheus_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    bool is_early = s->moves == 0 && s->early == 0;
    if (!is_early && !turn_is_build(s, builder))
        *sites = (struct santorini_sites){0};
}

/* R31: whoever starts beside Aphrodite ends beside her. */

static void aphrodite_watches(struct santorini *s, unsigned owner) {
    cell_set near = cells_near(cells_of(s, owner));
    for (unsigned b = 0; b < SANTORINI_HANDS; b++) {
        bool is_her_own = b == SANTORINI_BORROWED && s->led_seat == owner;
        if (s->start[b] != SANTORINI_NOWHERE && !is_her_own && cell_is_in(s->start[b], near))
            s->charmed |= (uint8_t)(1u << b);
    }
}

static cell_set aphrodite_stops(const struct santorini *s, unsigned owner) {
    return cells_near(cells_of(s, owner));
}

/* The builder that did not move in this turn. */
static unsigned idle_builder(const struct santorini *s) {
    return s->moved & 1 ? 1 : 0;
}

/* R32: Ares takes a block away beside the builder that stood still. */
static cell_set ares_removes(const struct santorini *s) {
    unsigned cell = santorini_cell(s, idle_builder(s));
    if (s->builds == 0 || s->has_removed || cell == SANTORINI_NOWHERE)
        return 0;
    return santorini_near[cell] & s->block[0] & ~s->dome & ~cells_occupied(s);
}

/* R33: Bia places first, on the perimeter, and takes whoever stands behind the cell she enters. */

static cell_set bia_places(const struct santorini *s, unsigned seat, cell_set cells) {
    (void)s;
    (void)seat;
    return cells & CELLS_PERIMETER;
}

static void bia_arrives(struct santorini *s, unsigned from, unsigned to) {
    unsigned beyond = cell_beyond(from, to), builder;
    unsigned seat = beyond == SANTORINI_NOWHERE ? SANTORINI_NOBODY : santorini_owner(s, beyond, &builder);
    if (seat != SANTORINI_NOBODY && seat != s->mover)
        s->builder[seat][builder] = SANTORINI_NOWHERE;
}

/* R35: Charon brings an opponent to the other side before he moves. */
static cell_set charon_forces(const struct santorini *s, unsigned builder) {
    unsigned cell = santorini_cell(s, builder);
    cell_set open = 0;
    if (s->moves > 0 || s->has_forced)
        return 0;
    EACH_CELL(other, santorini_near[cell] & cells_occupied(s) & ~cells_of(s, s->mover))
    if (santorini_is_free(s, cell_beyond(other, cell)))
        open |= CELL_BIT(other);
    return open;
}

/* R37: Circe has the power of an opponent whose builders are apart. */
static void circe_steals(struct santorini *s) {
    s->is_stolen = 0;
    for (unsigned seat = 0; seat < s->seat_count; seat++) {
        cell_set cells = cells_of(s, seat);
        if (seat != s->mover && santorini_is_alive(s, seat))
            s->is_stolen = (cells & cells_near(cells)) == 0;
    }
}

/* R39: Eros starts on opposite edges, and wins when his builders meet on the same level. */

static cell_set eros_places(const struct santorini *s, unsigned seat, cell_set cells) {
    static const cell_set edges[4] = {0x1f, 0x1f00000, 0x108421, 0x1084210}; /* top, bottom, left, right */
    unsigned first = s->builder[seat][0];
    if (first == SANTORINI_NOWHERE)
        return cells & CELLS_PERIMETER;
    cell_set opposite = 0;
    for (unsigned i = 0; i < 4; i++)
        if (cell_is_in(first, edges[i]))
            opposite |= edges[i ^ 1];
    return cells & opposite;
}

static bool eros_wins(const struct santorini *s, unsigned builder, unsigned from, unsigned to) {
    (void)from;
    unsigned other = santorini_cell(s, builder ^ 1), height = santorini_height(s, to);
    return other != SANTORINI_NOWHERE && cell_is_in(other, santorini_near[to]) &&
           height == santorini_height(s, other) && (height == 1 || s->seat_count == 3);
}

/* R40: nobody wins by entering the perimeter while Hera looks. */
static bool hera_lets_win(const struct santorini *s, unsigned to) {
    (void)s;
    return !cell_is_in(to, CELLS_PERIMETER);
}

/* R41: Hestia's second build stands inside. */
static void hestia_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    second_builds(s, builder, sites, CELLS_INTERIOR, CELLS_INTERIOR);
}

/* R42: Hypnus holds the one builder that stands higher than all others of its seat. */
static void hypnus_watches(struct santorini *s, unsigned owner) {
    (void)owner;
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++) {
        unsigned cell = s->start[b], other = s->start[b ^ 1];
        if (cell != SANTORINI_NOWHERE &&
            (other == SANTORINI_NOWHERE || santorini_height(s, cell) > santorini_height(s, other)))
            s->pinned |= (uint8_t)(1u << b);
    }
}

static cell_set hypnus_hinders_move(const struct santorini *s, unsigned owner, unsigned builder,
                                    cell_set cells) {
    (void)owner;
    return s->pinned >> builder & 1 ? 0 : cells;
}

/* R43: beside Limus others only complete towers. */
static cell_set limus_hinders_build(const struct santorini *s, unsigned owner, cell_set cells, bool is_dome) {
    cell_set near = cells_near(cells_of(s, owner));
    return cells & ~(is_dome ? near & ~s->block[SANTORINI_HEIGHT_MAX - 1] : near);
}

/* R44: Medusa turns lower neighbours to stone. A block there is built like any other, so who hinders builds
 * protects them. */
static void medusa_ends(struct santorini *s) {
    cell_set victims = 0, opponents = cells_occupied(s) & ~cells_of(s, s->mover);
    EACH_CELL(cell, cells_of(s, s->mover)) {
        unsigned height = santorini_height(s, cell);
        victims |= height == 0 ? 0 : santorini_near[cell] & opponents & cells_up_to(s, height - 1);
    }
    for (unsigned owner = 0; owner < s->seat_count; owner++) {
        const struct santorini_row *row = row_of(s, owner);
        if (owner != s->mover && row->hinders_build != NULL)
            victims = row->hinders_build(s, owner, victims, false);
    }
    EACH_CELL(cell, victims) {
        unsigned builder, seat = santorini_owner(s, cell, &builder);
        s->builder[seat][builder] = SANTORINI_NOWHERE;
        s->block[santorini_height(s, cell)] |= CELL_BIT(cell);
    }
}

/* R45: Morpheus gathers a token every turn and builds for tokens. */

static void morpheus_begins(struct santorini *s) {
    s->tokens[s->mover]++;
}

static bool morpheus_may_end(const struct santorini *s) {
    return s->moves > 0 && turn_may_stop(s);
}

static void morpheus_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    if (s->actor != builder || s->moves == 0 || s->tokens[s->mover] == 0 || !turn_may_stop(s))
        *sites = (struct santorini_sites){0};
}

static void morpheus_built(struct santorini *s) {
    s->tokens[s->mover]--;
}

/* R47: Poseidon's idle builder on the ground builds up to three times. */
static void poseidon_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    enum { EXTRA_BUILDS = 3 };
    bool is_extra = s->builds >= 1 && s->builds <= EXTRA_BUILDS && builder == idle_builder(s) &&
                    santorini_height(s, santorini_cell(s, builder)) == 0;
    if (!is_extra && !turn_is_build(s, builder))
        *sites = (struct santorini_sites){0};
}

/* R48: Selene's first builder may build a dome at any height instead of the build, whoever moved. */
static void selene_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    bool is_time = s->moves > 0 && s->builds == 0 && turn_may_stop(s);
    bool is_own = turn_is_build(s, builder);
    sites->block &= is_own ? CELLS_ALL : 0;
    sites->dome = builder == 0 && is_time ? sites->free : is_own ? sites->dome : 0;
}

/* R49: Triton goes on from the perimeter. */
static bool triton_may_move(const struct santorini *s, unsigned builder) {
    bool is_on_edge = cell_is_in(santorini_cell(s, builder), CELLS_PERIMETER);
    return is_untouched(s, builder) && (s->moves == 0 || is_on_edge) && s->moves < SANTORINI_MOVES_MAX;
}

/* R50: Zeus builds under himself, never a dome. */
static void zeus_builds(const struct santorini *s, unsigned builder, struct santorini_sites *sites) {
    cell_set time = turn_is_build(s, builder) ? CELLS_ALL : 0;
    cell_set own = CELL_BIT(santorini_cell(s, builder)) & cells_up_to(s, SANTORINI_HEIGHT_MAX - 1);
    sites->block = (sites->block | own) & time;
    sites->dome &= time;
}

/* clang-format off */
const struct santorini_row santorini_rows[GOD_COUNT] = {
    [GOD_NONE] = {.name = "", .text = ""},
    [GOD_APOLLO] = {
        .name = "Apollo", .seats = TWO_OR_THREE,
        .text = "A builder of yours may enter the cell of an opponent's builder, which goes to the cell that yours left.",
        .invades = apollo_invades, .displaces = apollo_displaces},
    [GOD_ARTEMIS] = {
        .name = "Artemis", .seats = TWO_OR_THREE,
        .text = "The builder that moved may move a second time, but not back to where it began the turn.",
        .may_move = artemis_may_move, .moves = artemis_moves},
    [GOD_ATHENA] = {
        .name = "Athena", .seats = TWO_OR_THREE,
        .text = "After a turn in which a builder of yours moved up, no opponent can move up until your next turn.",
        .minds_others = true, .hinders_move = athena_hinders_move},
    [GOD_ATLAS] = {
        .name = "Atlas", .seats = TWO_OR_THREE,
        .text = "You may build a dome at any height, even on the ground.",
        .builds = atlas_builds},
    [GOD_DEMETER] = {
        .name = "Demeter", .seats = TWO_OR_THREE,
        .text = "The builder that moved may build a second time, on another cell than before.",
        .builds = demeter_builds},
    [GOD_HEPHAESTUS] = {
        .name = "Hephaestus", .seats = TWO_OR_THREE,
        .text = "You may put a second block on the block that you just built.",
        .builds = hephaestus_builds},
    [GOD_HERMES] = {
        .name = "Hermes", .seats = TWO_OR_THREE,
        .text = "If none of your builders changes level, both may walk as far as you like, and then either of them builds.",
        .may_move = hermes_may_move, .roams = true, .stays_level = true, .builds = hermes_builds},
    [GOD_MINOTAUR] = {
        .name = "Minotaur", .seats = TWO_OR_THREE,
        .text = "A builder of yours may enter the cell of an opponent's builder and push it one cell straight on, if it is free.",
        .invades = minotaur_invades, .displaces = minotaur_displaces},
    [GOD_PAN] = {
        .name = "Pan", .seats = TWO_OR_THREE,
        .text = "You also win when a builder of yours moves down two levels or more.",
        .wins = pan_wins},
    [GOD_PROMETHEUS] = {
        .name = "Prometheus", .seats = TWO_OR_THREE,
        .text = "A builder that will not move up in this turn may build before it moves as well as after.",
        .moves = prometheus_moves, .builds = prometheus_builds, .builds_early = true},
    [GOD_APHRODITE] = {
        .name = "Aphrodite", .seats = TWO_SEATS,
        .text = "An opponent's builder that begins its turn beside one of yours must end its moves beside one of yours.",
        .minds_others = true, .watches = aphrodite_watches, .stops = aphrodite_stops},
    [GOD_ARES] = {
        .name = "Ares", .seats = TWO_OR_THREE,
        .text = "At the end of your turn you may take a block off a free cell beside your builder that did not move.",
        .removes = ares_removes},
    [GOD_BIA] = {
        .name = "Bia", .seats = TWO_OR_THREE,
        .text = "You place first, on the perimeter, and an opponent's builder right behind the cell you move to leaves the game.",
        .places_first = true, .places = bia_places, .arrives = bia_arrives},
    [GOD_CHAOS] = {
        .name = "Chaos", .seats = TWO_OR_THREE,
        .text = "You have the power of a simple god that nobody else has, drawn anew after every turn in which a dome was built.",
    },
    [GOD_CHARON] = {
        .name = "Charon", .seats = TWO_OR_THREE,
        .text = "Before your builder moves, it may bring an opponent's builder beside it to the opposite cell, if that is free.",
        .forces = charon_forces},
    [GOD_CHRONUS] = {
        .name = "Chronus", .seats = TWO_SEATS,
        .text = "You also win as soon as there are five complete towers on the board.",
        .wins_with_towers = true},
    [GOD_CIRCE] = {
        .name = "Circe", .seats = TWO_SEATS,
        .text = "When your turn begins and your opponent's builders are not side by side, you alone have their power until your next turn.",
        .steals = circe_steals},
    [GOD_DIONYSUS] = {
        .name = "Dionysus", .seats = TWO_OR_THREE,
        .text = "When a builder that you lead completes a tower, you may take an extra turn with an opponent's builder, in which nobody wins.",
        .leads = true},
    [GOD_EROS] = {
        .name = "Eros", .seats = TWO_OR_THREE,
        .text = "Your builders start on opposite edges, and you also win when one moves beside the other and both are on the first level (with three players: on the same level).",
        .places = eros_places, .wins = eros_wins},
    [GOD_HERA] = {
        .name = "Hera", .seats = TWO_OR_THREE,
        .text = "No opponent can win by moving to a cell of the perimeter.",
        .minds_others = true, .lets_win = hera_lets_win},
    [GOD_HESTIA] = {
        .name = "Hestia", .seats = TWO_OR_THREE,
        .text = "The builder that moved may build a second time, but not on the perimeter.",
        .builds = hestia_builds},
    [GOD_HYPNUS] = {
        .name = "Hypnus", .seats = TWO_OR_THREE,
        .text = "An opponent's builder that stands higher than all others of that opponent when the turn begins cannot move in it.",
        .minds_others = true, .watches = hypnus_watches, .hinders_move = hypnus_hinders_move},
    [GOD_LIMUS] = {
        .name = "Limus", .seats = TWO_OR_THREE,
        .text = "Opponents cannot build beside your builders, except the dome that completes a tower.",
        .minds_others = true, .hinders_build = limus_hinders_build},
    [GOD_MEDUSA] = {
        .name = "Medusa", .seats = TWO_OR_THREE,
        .text = "At the end of your turn every opponent's builder that is beside and below one of yours leaves the game, and a block takes its place.",
        .ends = medusa_ends},
    [GOD_MORPHEUS] = {
        .name = "Morpheus", .seats = TWO_OR_THREE,
        .text = "You get a token when your turn begins and build as often as you spend tokens, or not at all.",
        .begins = morpheus_begins, .builds = morpheus_builds, .built = morpheus_built, .may_end = morpheus_may_end},
    [GOD_PERSEPHONE] = {
        .name = "Persephone", .seats = TWO_OR_THREE,
        .text = "Opponents who can move up in their turn must do so with at least one of their moves.",
        .minds_others = true, .demands_rise = true},
    [GOD_POSEIDON] = {
        .name = "Poseidon", .seats = TWO_OR_THREE,
        .text = "At the end of your turn your builder that did not move may build up to three times if it stands on the ground.",
        .builds = poseidon_builds},
    [GOD_SELENE] = {
        .name = "Selene", .seats = TWO_OR_THREE,
        .text = "Instead of the build of your turn your first builder may build a dome at any height, whichever builder moved.",
        .builds = selene_builds},
    [GOD_TRITON] = {
        .name = "Triton", .seats = TWO_OR_THREE,
        .text = "Each time your builder enters a cell of the perimeter it may move again.",
        .may_move = triton_may_move, .roams = true},
    [GOD_ZEUS] = {
        .name = "Zeus", .seats = TWO_OR_THREE,
        .text = "Your builder may build a block under itself and rise with it, which never wins.",
        .builds = zeus_builds},
};
/* clang-format on */

const char *santorini_god_name(enum santorini_god god) {
    return santorini_rows[god].name;
}

const char *santorini_god_text(enum santorini_god god) {
    return santorini_rows[god].text;
}

/* R15 */
bool santorini_god_fits(enum santorini_god god, unsigned seat_count) {
    return god > GOD_NONE && god < GOD_COUNT && (santorini_rows[god].seats >> seat_count & 1);
}

enum santorini_god santorini_god_by_name(struct span name) {
    for (unsigned god = GOD_NONE + 1; god < GOD_COUNT; god++)
        if (span_is_nocase(name, santorini_rows[god].name))
            return (enum santorini_god)god;
    return GOD_NONE;
}

enum santorini_god santorini_power_stolen(const struct santorini *s, unsigned seat) {
    unsigned card = GOD_NONE; /* R37: she alone has it */
    for (unsigned other = 0; s->card[seat] == GOD_CIRCE && other < s->seat_count; other++)
        if (other != seat)
            card = s->card[other];
    return (enum santorini_god)card;
}

enum santorini_god santorini_power(const struct santorini *s, unsigned seat) {
    return santorini_is_alive(s, seat) ? (enum santorini_god)power_of(s, seat) : GOD_NONE;
}
