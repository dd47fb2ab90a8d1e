#include "cli/eriantys/follow.h"

/* What is wrong is noted once, so that the walk need not stop everywhere. */
struct follow_reader {
    struct eriantys *e;
    struct span *names;
    bool is_wrong;
};

static unsigned follow_int(struct follow_reader *r, const json_t *object, const char *name, unsigned max) {
    int64_t value;
    if (json_int(object, name, &value) && value >= 0 && value <= max)
        return (unsigned)value;
    r->is_wrong = true;
    return 0;
}

static bool follow_flag(struct follow_reader *r, const json_t *object, const char *name) {
    bool value = false;
    if (!json_flag(object, name, &value))
        r->is_wrong = true;
    return value;
}

static void follow_students(struct follow_reader *r, const json_t *object, uint8_t out[ERIANTYS_COLORS]) {
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        out[color] = (uint8_t)follow_int(r, object, eriantys_color_name(color), ERIANTYS_STUDENTS_PER_COLOR);
}

/* The seat of this name; ERIANTYS_NONE for null. */
static unsigned follow_seat(struct follow_reader *r, const json_t *object, const char *key) {
    struct span name = json_text(object, key);
    if (!json_has(object, key))
        return ERIANTYS_NONE;
    for (unsigned seat = 0; seat < r->e->seat_count; seat++)
        if (name.data != NULL && span_equal(name, r->names[seat]))
            return seat;
    r->is_wrong = true;
    return ERIANTYS_NONE;
}

static unsigned follow_tower(struct follow_reader *r, const json_t *object, const char *key) {
    struct span name = json_text(object, key);
    if (!json_has(object, key))
        return ERIANTYS_NONE;
    for (unsigned team = 0; team < r->e->team_count; team++)
        if (name.data != NULL && span_is(name, eriantys_tower_name(team)))
            return team;
    r->is_wrong = true;
    return ERIANTYS_NONE;
}

/* A list of between min and max items; an empty one when it is none. */
static size_t follow_list(struct follow_reader *r, const json_t *object, const char *name, size_t min,
                          size_t max, const json_t **out) {
    *out = json_object_get(object, name);
    size_t count = json_array_size(*out);
    if (json_is_array(*out) && count >= min && count <= max)
        return count;
    r->is_wrong = true;
    return 0;
}

static void follow_player(struct follow_reader *r, const json_t *player, unsigned seat) {
    struct eriantys_seat *s = &r->e->seat[seat];
    const json_t *board = json_object_get(player, "schoolBoard"), *hand;
    size_t count = follow_list(r, player, "assistants", 0, ERIANTYS_ASSISTANTS, &hand);
    for (size_t i = 0; i < count; i++)
        s->hand |= (uint16_t)(1u << follow_int(r, json_array_get(hand, i), "id", ERIANTYS_ASSISTANTS));
    if (r->e->mode == ERIANTYS_EXPERT)
        s->coins = (uint8_t)follow_int(r, player, "coins", ERIANTYS_COINS);
    follow_students(r, json_object_get(board, "entrance"), s->entrance);
    follow_students(r, json_object_get(board, "diningRoom"), s->dining);
    r->e->towers[eriantys_team(r->e, seat)] =
        (uint8_t)follow_int(r, board, "towersNumber", eriantys_towers_of_team(r->e));
}

static void follow_islands(struct follow_reader *r, const json_t *board) {
    struct eriantys *e = r->e;
    const json_t *islands;
    unsigned mother = follow_int(r, board, "motherNatureIsland", ERIANTYS_ISLANDS - 1);
    e->group_count = (uint8_t)follow_list(r, board, "islands", 1, ERIANTYS_ISLANDS, &islands);
    for (unsigned i = 0; i < e->group_count; i++) {
        const json_t *island = json_array_get(islands, i);
        struct eriantys_group *group = &e->group[i];
        group->id = (uint8_t)follow_int(r, island, "id", ERIANTYS_ISLANDS - 1);
        group->size = (uint8_t)follow_int(r, island, "size", ERIANTYS_ISLANDS);
        group->tower = (uint8_t)follow_tower(r, island, "tower");
        group->bans = follow_flag(r, island, "ban");
        follow_students(r, json_object_get(island, "students"), group->students);
        if (group->id == mother)
            e->mother = (uint8_t)i;
    }
}

static void follow_card(struct follow_reader *r, const json_t *character, unsigned index) {
    struct eriantys *e = r->e;
    struct eriantys_card *card = &e->card[index];
    card->id = (uint8_t)follow_int(r, character, "id", ERIANTYS_CHARACTERS);
    const struct eriantys_character_row *row = eriantys_character_row(card->id);
    card->has_coin = follow_flag(r, character, "alreadyPaid");
    if (row->students > 0)
        follow_students(r, json_object_get(character, "containedStudents"), card->students);
    if (row->bans > 0)
        card->bans = (uint8_t)follow_int(r, character, "availableBans", ERIANTYS_BANS);
    if (!follow_flag(r, character, "active"))
        return;
    e->paid = (uint8_t)index;
    e->uses_left = (uint8_t)follow_int(r, character, "usesNumber", row->uses);
    if (card->id == ERIANTYS_MUSHROOM_SELLER && e->ignored != ERIANTYS_NONE)
        e->uses_left = 0; /* its number does not count down */
}

/* Coins and tiles that are not shown are where else they can be. */
static void follow_expert(struct follow_reader *r, const json_t *board) {
    struct eriantys *e = r->e;
    const json_t *characters;
    size_t count = follow_list(r, board, "characters", 0, ERIANTYS_CHARACTERS_IN_PLAY, &characters);
    int coins = ERIANTYS_COINS, bans = ERIANTYS_BANS;
    if (e->mode != ERIANTYS_EXPERT)
        return;
    struct span color = json_text(board, "ignoreColor");
    if (color.data != NULL)
        e->ignored = (uint8_t)eriantys_color_of_name(color);
    for (unsigned i = 0; i < count; i++) {
        follow_card(r, json_array_get(characters, i), i);
        coins -= e->card[i].has_coin;
        bans -= e->card[i].bans;
    }
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        coins -= e->seat[seat].coins;
    r->is_wrong = r->is_wrong || count != ERIANTYS_CHARACTERS_IN_PLAY || coins < 0;
    e->bank = (uint8_t)coins;
    unsigned first = ERIANTYS_NONE;
    for (unsigned i = 0; i < e->group_count; i++) {
        bans -= e->group[i].bans;
        if (e->group[i].bans > 0 && first == ERIANTYS_NONE)
            first = i;
    }
    if (first != ERIANTYS_NONE && bans > 0)
        e->group[first].bans += (uint8_t)bans;
}

static void follow_board(struct follow_reader *r, const json_t *board) {
    struct eriantys *e = r->e;
    const json_t *clouds, *professors = json_object_get(board, "professors");
    size_t count = follow_list(r, board, "clouds", e->seat_count, e->seat_count, &clouds);
    follow_students(r, json_object_get(board, "bag"), e->bag);
    for (size_t i = 0; i < count; i++)
        follow_students(r, json_array_get(clouds, i), e->cloud[i]);
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        e->professor[color] = (uint8_t)follow_seat(r, professors, eriantys_color_name(color));
    follow_islands(r, board);
    follow_expert(r, board);
}

/* R9: those who have played, in their order, give the order of the action phase. */
static void follow_played(struct follow_reader *r, const json_t *board) {
    struct eriantys *e = r->e;
    const json_t *list;
    uint8_t order[ERIANTYS_SEATS_MAX] = {0};
    size_t count = follow_list(r, board, "playedAssistants", 0, e->seat_count, &list);
    e->first = e->mover;
    for (unsigned i = 0; i < count; i++) {
        const json_t *played = json_array_get(list, i);
        unsigned seat = follow_seat(r, played, "player"), at = i;
        if (seat == ERIANTYS_NONE) {
            r->is_wrong = true;
            return;
        }
        if (i == 0)
            e->first = (uint8_t)seat;
        e->seat[seat].assistant = (uint8_t)follow_int(r, played, "assistant", ERIANTYS_ASSISTANTS);
        for (; at > 0 && e->seat[order[at - 1]].assistant > e->seat[seat].assistant; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)seat;
    }
    e->turn = (uint8_t)count;
    if (e->phase == ERIANTYS_PLANNING)
        return;
    memcpy(e->order, order, sizeof order);
    for (e->turn = 0; e->turn < count && order[e->turn] != e->mover;)
        e->turn++;
    r->is_wrong = r->is_wrong || e->turn == count;
}

static void follow_phase(struct follow_reader *r, const json_t *message) {
    struct eriantys *e = r->e;
    static const uint8_t phases[] = {ERIANTYS_PLANNING, ERIANTYS_STUDENTS, ERIANTYS_MOTHER,
                                     ERIANTYS_CLOUD_CHOICE};
    struct span name = json_text(message, "subPhase");
    for (size_t i = 0; i < sizeof phases && name.data != NULL; i++) {
        e->phase = phases[i];
        unsigned moves = e->phase == ERIANTYS_STUDENTS ? eriantys_students_per_turn(e) : 1;
        for (e->moved = 0; e->moved < moves; e->moved++) {
            if (!span_is(name, eriantys_subphase_name(e)))
                continue;
            if (e->phase > ERIANTYS_STUDENTS)
                e->moved = (uint8_t)eriantys_students_per_turn(e);
            return;
        }
    }
    r->is_wrong = true;
}

/* R20, R21, R26: what the board gives away although no field says it. */
static void follow_conclude(struct eriantys *e) {
    unsigned on_clouds = 0, entrance = eriantys_sum(e->seat[e->mover].entrance);
    unsigned expected = eriantys_entrance_size(e) - e->moved;
    for (unsigned cloud = 0; cloud < e->seat_count; cloud++)
        on_clouds += eriantys_sum(e->cloud[cloud]);
    e->has_bag_failed = on_clouds == 0 || eriantys_sum(e->bag) == 0;
    e->is_last_round = e->has_bag_failed;
    if (e->phase != ERIANTYS_PLANNING && e->seat[e->mover].hand == 0)
        e->is_last_round = 1;
    if (e->phase != ERIANTYS_PLANNING && entrance != expected)
        e->open_half = entrance > expected ? ERIANTYS_SWAP_IN : ERIANTYS_SWAP_OUT;
}

bool eriantys_follow_status(const json_t *message, struct eriantys *out,
                            struct span names[ERIANTYS_SEATS_MAX]) {
    struct follow_reader r = {.e = out, .names = names};
    const json_t *players, *board = json_object_get(message, "gameBoard");
    memset(out, 0, sizeof *out);
    memset(names, 0, ERIANTYS_SEATS_MAX * sizeof *names);
    out->winner = out->paid = out->ignored = out->refill_due = ERIANTYS_NONE;
    out->seat_count =
        (uint8_t)follow_list(&r, message, "players", ERIANTYS_SEATS_MIN, ERIANTYS_SEATS_MAX, &players);
    if (r.is_wrong)
        return false;
    out->team_count = out->seat_count == 3 ? 3 : 2;
    out->mode = follow_flag(&r, message, "expert") ? ERIANTYS_EXPERT : ERIANTYS_NORMAL;
    out->round = (uint8_t)follow_int(&r, message, "round", ERIANTYS_ROUNDS_MAX - 1);
    for (unsigned seat = 0; seat < out->seat_count; seat++) {
        names[seat] = json_text(json_array_get(players, seat), "name");
        follow_player(&r, json_array_get(players, seat), seat);
    }
    unsigned mover = follow_seat(&r, message, "activeUser");
    if (mover == ERIANTYS_NONE)
        return false;
    out->mover = (uint8_t)mover;
    follow_phase(&r, message);
    follow_board(&r, board);
    follow_played(&r, board);
    if (!r.is_wrong)
        follow_conclude(out);
    return !r.is_wrong;
}
