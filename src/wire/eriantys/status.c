/* The status of Eriantys, the one large message of its protocol: the whole state in JSON. */
#include "wire/eriantys/dialect.h"

static const char *const wizard_names[ERIANTYS_WIZARDS] = {"FUCHSIA", "GREEN", "WHITE", "YELLOW"};

static void eriantys_status_write_students(struct writer *w, const char *name,
                                           const uint8_t students[ERIANTYS_COLORS]) {
    writer_object_begin(w, name);
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        writer_int(w, eriantys_color_name(color), students[color]);
    writer_object_end(w);
}

static void write_name(struct writer *w, const char *key, const struct eriantys_scene *scene, unsigned seat) {
    if (seat == ERIANTYS_NONE)
        writer_null(w, key);
    else
        writer_text(w, key, span_of(scene->names[seat]));
}

static void write_hand(struct writer *w, unsigned hand) {
    writer_list_begin(w, "assistants");
    for (unsigned value = 1; value <= ERIANTYS_ASSISTANTS; value++) {
        if ((hand >> value & 1) == 0)
            continue;
        writer_object_begin(w, NULL);
        writer_int(w, "id", value);
        writer_bool(w, "bonus", false);
        writer_object_end(w);
    }
    writer_list_end(w);
}

static void eriantys_status_write_player(struct writer *w, const struct eriantys_scene *scene,
                                         unsigned seat) {
    const struct eriantys *e = scene->state;
    const struct eriantys_seat *s = &e->seat[seat];
    unsigned team = eriantys_team(e, seat);
    writer_object_begin(w, NULL);
    writer_text(w, "name", span_of(scene->names[seat]));
    writer_text(w, "wizardType", span_of(wizard_names[scene->wizards[seat]]));
    writer_int(w, "coins",
               e->mode == ERIANTYS_EXPERT ? s->coins : 1); /* normal games have none; clients expect 1 */
    write_hand(w, s->hand);
    writer_object_begin(w, "schoolBoard");
    writer_text(w, "towerType", span_of(eriantys_tower_name(team)));
    writer_int(w, "towersNumber", e->towers[team]);
    eriantys_status_write_students(w, "entrance", s->entrance);
    eriantys_status_write_students(w, "diningRoom", s->dining);
    writer_object_end(w);
    writer_object_end(w);
}

static void write_island(struct writer *w, const struct eriantys_group *group) {
    writer_object_begin(w, NULL);
    writer_int(w, "id", group->id);
    writer_int(w, "size", group->size);
    if (group->tower == ERIANTYS_NONE)
        writer_null(w, "tower");
    else
        writer_text(w, "tower", span_of(eriantys_tower_name(group->tower)));
    writer_bool(w, "ban", group->bans > 0);
    eriantys_status_write_students(w, "students", group->students);
    writer_object_end(w);
}

/* In the order in which they were played. */
static void write_played(struct writer *w, const struct eriantys_scene *scene) {
    const struct eriantys *e = scene->state;
    writer_list_begin(w, "playedAssistants");
    for (unsigned i = 0; i < e->seat_count; i++) {
        unsigned seat = (e->first + i) % e->seat_count;
        if (e->seat[seat].assistant == 0)
            continue;
        writer_object_begin(w, NULL);
        writer_text(w, "player", span_of(scene->names[seat]));
        writer_int(w, "assistant", e->seat[seat].assistant);
        writer_bool(w, "bonus", seat == e->mover && eriantys_is_active(e, ERIANTYS_MESSENGER));
        writer_object_end(w);
    }
    writer_list_end(w);
}

/* The cost is that of the first use; clients add the one that alreadyPaid means. */
static void write_character(struct writer *w, const struct eriantys *e, unsigned index) {
    const struct eriantys_card *card = &e->card[index];
    const struct eriantys_character_row *row = eriantys_character_row(card->id);
    bool is_paid = e->paid == index;
    writer_object_begin(w, NULL);
    writer_int(w, "id", card->id);
    writer_int(w, "effectCost", row->cost);
    writer_bool(w, "alreadyPaid", card->has_coin != 0);
    writer_bool(w, "paidInTurn", is_paid);
    writer_bool(w, "paidInRound", is_paid);
    writer_bool(w, "active", is_paid);
    writer_int(w, "usesNumber", eriantys_uses_left(e, index));
    if (row->students > 0)
        eriantys_status_write_students(w, "containedStudents", card->students);
    if (row->bans > 0)
        writer_int(w, "availableBans", card->bans);
    writer_object_end(w);
}

static void eriantys_status_write_board(struct writer *w, const struct eriantys_scene *scene) {
    const struct eriantys *e = scene->state;
    eriantys_status_write_students(w, "bag", e->bag);
    writer_list_begin(w, "clouds");
    for (unsigned cloud = 0; cloud < e->seat_count; cloud++)
        eriantys_status_write_students(w, NULL, e->cloud[cloud]);
    writer_list_end(w);
    writer_list_begin(w, "islands");
    for (unsigned i = 0; i < e->group_count; i++)
        write_island(w, &e->group[i]);
    writer_list_end(w);
    write_played(w, scene);
    writer_list_begin(w, "characters");
    for (unsigned i = 0; e->mode == ERIANTYS_EXPERT && i < ERIANTYS_CHARACTERS_IN_PLAY; i++)
        write_character(w, e, i);
    writer_list_end(w);
    writer_object_begin(w, "professors");
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        write_name(w, eriantys_color_name(color), scene, e->professor[color]);
    writer_object_end(w);
    writer_int(w, "motherNatureIsland", e->group[e->mother].id);
    if (e->ignored == ERIANTYS_NONE)
        writer_null(w, "ignoreColor");
    else
        writer_text(w, "ignoreColor", span_of(eriantys_color_name(e->ignored)));
    write_name(w, "influenceBonus", scene, eriantys_bonus_seat(e));
}

void eriantys_write_status(struct buf *out, const struct eriantys_scene *scene) {
    static const char also[] = ",\"board\":";
    const struct eriantys *e = scene->state;
    struct writer w = writer_message(out, "status");
    writer_int(&w, "round", e->round);
    writer_bool(&w, "expert", e->mode == ERIANTYS_EXPERT);
    write_name(&w, "activeUser", scene, e->phase == ERIANTYS_OVER ? (unsigned)ERIANTYS_NONE : e->mover);
    writer_text(&w, "phase", span_of(eriantys_phase_name(e)));
    writer_text(&w, "subPhase", span_of(eriantys_subphase_name(e)));
    writer_list_begin(&w, "players");
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        eriantys_status_write_player(&w, scene, seat);
    writer_list_end(&w);
    writer_object_begin(&w, "gameBoard");
    size_t at = out->size - 1; /* of its brace */
    eriantys_status_write_board(&w, scene);
    writer_object_end(&w);
    /* 6: the same once more under the name that the document has for it. */
    size_t size = out->size - at;
    buf_reserve(out, sizeof also + size);
    buf_append(out, SPAN(also));
    buf_append(out, span_make(out->data + at, size));
    writer_object_end(&w);
}
