/* Tables of cups (host/cup/cups.h): nobody chooses a seat there, and whoever is to have one is asked for. */
#include "host/lounge/internal.h"

#include "base/log.h"

void lounge_set_steward(struct lounge *l, const struct lounge_steward *steward) {
    l->steward = *steward;
}

bool lounge_entrants_sit(struct lounge_table *lt) {
    const struct lounge_steward *steward = &lounge_of(lt)->steward;
    struct table *t = lt->room.table;
    for (unsigned seat = 0; seat < table_options(t)->seat_count && steward->guest != NULL; seat++) {
        struct table_guest guest = {.seat = seat};
        if (table_name(t, seat)[0] != '\0' ||
            !steward->guest(steward->context, lt->note.cup, lt->room.id, seat, &guest))
            continue;
        enum err e = table_sit(t, &guest, NULL, 0, lt->room.room->now_ms);
        if (e == ERR_OK)
            return true;
        log_event(LOG_WARN, "entrant-unseated", LOG_TEXT("name", guest.name),
                  LOG_TEXT("why", span_of(err_word(e))));
    }
    return false;
}

void lounge_seat_entrants(struct lounge *l, uint64_t table, uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    struct lounge_table *lt = lounge_table_get(l, table);
    if (lt != NULL)
        room_pump(&lt->room);
    room_exit(&l->room);
}

/* Who is to come has the code; nobody else finds the table before all have come. */
static enum err lounge_cup_door(struct lounge *l, const struct lounge_cup_order *order,
                                const struct lounge_note *note) {
    char text[EVENT_NOTE_BYTES_MAX + 1];
    struct table *table;
    lounge_note_format(note, text);
    const struct table_wish wish = {.options = order->options,
                                    .house = span_of(text),
                                    .id = order->table,
                                    .is_private = true,
                                    .is_fixed = true};
    enum err e = order->door->open(order->door->context, &wish, l->room.now_ms, &table);
    if (e == ERR_OK)
        room_adopt(&l->room, table);
    return e;
}

enum err lounge_open_cup(struct lounge *l, const struct lounge_cup_order *order, uint64_t now_ms) {
    static const struct lounge_beginning none;
    static const struct address nobody;
    const struct lounge_note note = {
        .clocks = order->clocks, .cup = order->cup, .is_private = order->door != NULL};
    struct lounge_table *lt = NULL;
    room_enter(&l->room, now_ms);
    enum err e = tables_find(l->room.tables, order->table) != NULL ? ERR_BUSY : ERR_OK;
    if (e == ERR_OK && order->door != NULL)
        e = lounge_cup_door(l, order, &note);
    else if (e == ERR_OK)
        e = lounge_open_own(l, order->game, &order->options, &none, &note, &nobody, order->table, &lt);
    room_exit(&l->room);
    return e;
}
