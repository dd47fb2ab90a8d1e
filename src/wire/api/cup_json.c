/* What the API says about cups: JSON of one, and CSV of its standings and pairings. */
#include "wire/api/cup_json.h"

#include "base/mem.h"
#include "host/table/record.h"
#include "wire/api/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { POINTS_BYTES_MAX = 16 };

/* "1", "0.5", "0.667". */
static struct span points_text(uint32_t parts, char text[POINTS_BYTES_MAX]) {
    snprintf(text, POINTS_BYTES_MAX, "%u.%03u", parts / CUP_POINT,
             (parts % CUP_POINT * 1000 + CUP_POINT / 2) / CUP_POINT);
    size_t size = strlen(text);
    while (text[size - 1] == '0')
        size--;
    return span_make(text, text[size - 1] == '.' ? size - 1 : size);
}

static void points_write(struct writer *w, const char *name, uint32_t parts) {
    char text[POINTS_BYTES_MAX];
    writer_raw(w, name, points_text(parts, text));
}

/* With two digits behind the point, of which the journals of all nodes give the same. */
static struct span rating_text(double value, char text[POINTS_BYTES_MAX]) {
    snprintf(text, POINTS_BYTES_MAX, "%.2f", value);
    return span_of(text);
}

static void rating_write(struct writer *w, const char *name, double value) {
    char text[POINTS_BYTES_MAX];
    writer_raw(w, name, rating_text(value, text));
}

/* What the championship changed, of one that counts. */
static void rating_change_write(struct writer *w, const struct cup_fold *f, const struct rating_line *line) {
    if (f->phase == CUP_OVER)
        rating_write(w, "rating_change", line->after.rating - line->before.rating);
    else
        writer_null(w, "rating_change");
}

static void standings_write(struct writer *w, const struct cups *cups, const struct cup_fold *f) {
    struct cup_standing *rows = cup_fold_standings(f);
    writer_list_begin(w, "standings");
    for (uint32_t i = 0; i < f->sheet.entrant_count; i++) {
        const struct cup_standing *row = &rows[i];
        writer_object_begin(w, NULL);
        writer_int(w, "place", row->place);
        writer_text(w, "nick", span_of(cup_fold_name(f, row->entrant)));
        points_write(w, "points", row->points);
        writer_int(w, "played", row->played);
        writer_int(w, "won", row->won);
        writer_int(w, "drawn", row->drawn);
        writer_int(w, "lost", row->lost);
        points_write(w, "direct", row->direct);
        points_write(w, "buchholz", row->buchholz);
        points_write(w, "sonneborn_berger", row->sonneborn);
        struct rating_line line = cups_rating_line(cups, f, row->entrant);
        rating_write(w, "rating", line.after.rating);
        rating_write(w, "deviation", line.after.deviation);
        rating_change_write(w, f, &line);
        writer_bool(w, "gone", f->sheet.is_gone[row->entrant]);
        writer_object_end(w);
    }
    writer_list_end(w);
    mem_free(rows);
}

static uint32_t decided_count(const struct cup_fold *f) {
    uint32_t decided = 0;
    for (uint32_t i = 0; i < f->sheet.pairing_count; i++)
        decided += f->sheet.pairings[i].how != CUP_UNDECIDED;
    return decided;
}

void api_write_cup_summary(struct writer *w, const struct cup_fold *f) {
    writer_text(w, "name", span_of(f->about.name));
    writer_text(w, "type", span_of(f->about.game));
    writer_int(w, "players", f->sheet.entrant_count);
    writer_int(w, "entered", f->sheet.entrant_count);
    writer_text(w, "state", span_of(cup_state_word(f->phase)));
    writer_text(w, "format", span_of(f->format->word));
    writer_int(w, "seats", f->about.options.seat_count);
    writer_int(w, "round", cup_sheet_round(&f->sheet));
    writer_int(w, "pairings_decided", decided_count(f));
    writer_int(w, "pairings_planned", f->sheet.pairing_count);
    writer_int(w, "version", (int64_t)f->last_seq);
    writer_int(w, "created_ms", f->created_ms);
    writer_int(w, "changed_ms", f->last_ms);
}

void api_write_cup_row(struct writer *w, const struct cups *cups, const struct cup_fold *f) {
    api_write_cup_summary(w, f);
    standings_write(w, cups, f);
}

static void entrants_write(struct writer *w, const struct cup_fold *f) {
    writer_list_begin(w, "entrants");
    for (uint32_t i = 0; i < f->sheet.entrant_count; i++) {
        const struct cup_entrant *e = f->entrants[i];
        writer_object_begin(w, NULL);
        writer_text(w, "name", span_of(e->about.name));
        if (e->about.bot_level != 0)
            writer_int(w, "bot", e->about.bot_level);
        else
            writer_null(w, "bot");
        writer_bool(w, "client", e->about.is_client);
        writer_bool(w, "gone", f->sheet.is_gone[i]);
        writer_bool(w, "disqualified", e->is_disqualified);
        writer_text(w, "why", span_of(e->why));
        writer_object_end(w);
    }
    writer_list_end(w);
}

static const char *pairing_state(const struct cups *cups, const struct cup_fold *f, uint32_t i) {
    return f->sheet.pairings[i].how != CUP_UNDECIDED ? "decided"
           : cups_is_played(cups, f, i)              ? "playing"
                                                     : "waiting";
}

static void pairing_write(struct writer *w, const struct cups *cups, const struct cup_fold *f, uint32_t i) {
    const struct cup_pairing *p = &f->sheet.pairings[i];
    const struct cup_record *r = &f->records[i];
    bool was_played = p->how == CUP_PLAYED || p->how == CUP_FORFEITED;
    const char *state = pairing_state(cups, f, i);
    writer_object_begin(w, NULL);
    writer_int(w, "number", i);
    writer_int(w, "round", p->round);
    writer_text(w, "state", span_of(state));
    writer_text(w, "how", span_of(cup_how_word(p->how)));
    if (was_played || strcmp(state, "playing") == 0)
        api_write_code(w, "table", r->table);
    else
        writer_null(w, "table");
    writer_list_begin(w, "players");
    for (uint32_t seat = 0; seat < p->count; seat++)
        writer_text(w, NULL, span_of(cup_fold_name(f, p->entrant[seat])));
    writer_list_end(w);
    writer_list_begin(w, "points");
    for (uint32_t seat = 0; seat < p->count && p->how != CUP_UNDECIDED; seat++)
        points_write(w, NULL, p->points[seat]);
    writer_list_end(w);
    writer_list_begin(w, "results");
    for (uint32_t seat = 0; seat < p->count && was_played; seat++)
        writer_int(w, NULL, r->results[seat]);
    writer_list_end(w);
    if (r->loser < p->count)
        writer_text(w, "loser", span_of(cup_fold_name(f, p->entrant[r->loser])));
    else
        writer_null(w, "loser");
    writer_text(w, "reason", span_of(r->reason));
    writer_text(w, "why", span_of(r->why));
    writer_text(w, "rule", span_of(r->rule));
    writer_text(w, "sent", span_of(r->sent));
    if (r->has_stamps)
        record_write_stamps(w, "stamps", &r->stamps);
    else
        writer_null(w, "stamps");
    writer_int(w, "replays", r->replays);
    writer_object_end(w);
}

/* Where the entrant is to play: the table that runs. */
static void you_write(struct writer *w, const struct cups *cups, const struct cup_fold *f, uint32_t entrant) {
    uint32_t seat = 0, i = 0;
    while (i < f->sheet.pairing_count &&
           !(f->sheet.pairings[i].how == CUP_UNDECIDED &&
             cup_pairing_has(&f->sheet.pairings[i], entrant, &seat) && cups_is_open(cups, f, i, seat)))
        i++;
    writer_object_begin(w, "you");
    writer_text(w, "name", span_of(cup_fold_name(f, entrant)));
    if (i < f->sheet.pairing_count) {
        api_write_code(w, "table", f->records[i].table);
        writer_int(w, "seat", seat);
    } else {
        writer_null(w, "table");
        writer_null(w, "seat");
    }
    writer_object_end(w);
}

void api_write_cup(struct writer *w, const struct cups *cups, const struct cup_fold *f, uint32_t round,
                   uint32_t entrant) {
    const struct game *game = game_by_name(span_of(f->about.game));
    api_write_cup_summary(w, f);
    if (game != NULL) /* one of other rules, which are not known here any more, has none */
        api_write_options(w, game, &f->about.options);
    writer_text(w, "protocol", span_of(f->about.protocol));
    writer_int(w, "rounds", f->about.rounds);
    writer_int(w, "turn_ms", f->about.turn_ms);
    writer_int(w, "game_ms", f->about.game_ms);
    writer_int(w, "increment_ms", f->about.increment_ms);
    writer_int(w, "tables_max", f->about.tables_max);
    writer_list_begin(w, "tie_breaks");
    for (unsigned i = 0; i < CUP_TIE_COUNT; i++)
        writer_text(w, NULL, span_of(cup_tie_words[i]));
    writer_list_end(w);
    entrants_write(w, f);
    standings_write(w, cups, f);
    writer_list_begin(w, "pairings");
    for (uint32_t i = 0; i < f->sheet.pairing_count; i++)
        if (round == 0 || f->sheet.pairings[i].round == round)
            pairing_write(w, cups, f, i);
    writer_list_end(w);
    if (entrant < f->sheet.entrant_count)
        you_write(w, cups, f, entrant);
    else
        writer_null(w, "you");
}

/* A field as RFC 4180 has it; one that a table calculator would take for a formula begins with a quote mark.
 */
static void csv_text(struct buf *out, const char *text) {
    buf_append_byte(out, '"');
    if (text[0] != '\0' && strchr("=+-@\t", text[0]) != NULL)
        buf_append_byte(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            buf_append_byte(out, '"');
        buf_append_byte(out, *text);
    }
    buf_append_byte(out, '"');
}

static void csv_points(struct buf *out, uint32_t parts) {
    char text[POINTS_BYTES_MAX];
    buf_append_byte(out, ',');
    buf_append(out, points_text(parts, text));
}

void api_write_cup_standings_csv(struct buf *out, const struct cups *cups, const struct cup_fold *f) {
    struct cup_standing *rows = cup_fold_standings(f);
    buf_append_text(out, "place,name,points,played,won,drawn,lost,direct,buchholz,sonneborn_berger,gone,"
                         "rating,deviation,rating_change\r\n");
    for (uint32_t i = 0; i < f->sheet.entrant_count; i++) {
        const struct cup_standing *row = &rows[i];
        buf_printf(out, "%u,", row->place);
        csv_text(out, cup_fold_name(f, row->entrant));
        csv_points(out, row->points);
        buf_printf(out, ",%u,%u,%u,%u", row->played, row->won, row->drawn, row->lost);
        csv_points(out, row->direct);
        csv_points(out, row->buchholz);
        csv_points(out, row->sonneborn);
        struct rating_line line = cups_rating_line(cups, f, row->entrant);
        buf_printf(out, ",%s,%.2f,%.2f,%.2f\r\n", f->sheet.is_gone[row->entrant] ? "yes" : "no",
                   line.after.rating, line.after.deviation, line.after.rating - line.before.rating);
    }
    mem_free(rows);
}

/* What a seat has lost by; NULL: it has not. */
static void csv_forfeit(struct buf *out, const struct cup_record *r) {
    const char *const texts[] = {r == NULL ? "" : r->reason, r == NULL ? "" : r->why,
                                 r == NULL ? "" : r->rule, r == NULL ? "" : r->sent};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        buf_append_byte(out, ',');
        csv_text(out, texts[i]);
    }
    if (r == NULL || !r->has_stamps)
        buf_append_text(out, ",,,,");
    else
        buf_printf(out, ",%" PRId64 ",%" PRId64 ",%" PRIu32 ",%" PRIu32, r->stamps.asked_ms,
                   r->stamps.heard_ms, r->stamps.used_ms, r->stamps.allowed_ms);
}

void api_write_cup_pairings_csv(struct buf *out, const struct cups *cups, const struct cup_fold *f) {
    char code[TABLE_CODE_CHARS + 1];
    (void)cups;
    buf_append_text(out, "number,round,how,table,seat,name,points,reason,why,rule,sent,asked_ms,heard_ms,"
                         "used_ms,allowed_ms\r\n");
    for (uint32_t i = 0; i < f->sheet.pairing_count; i++) {
        const struct cup_pairing *p = &f->sheet.pairings[i];
        bool was_played = p->how == CUP_PLAYED || p->how == CUP_FORFEITED;
        table_code_format(f->records[i].table, code);
        for (uint32_t seat = 0; seat < p->count; seat++) {
            buf_printf(out, "%u,%u,%s,%s,%u,", i, p->round, cup_how_word(p->how), was_played ? code : "",
                       seat);
            csv_text(out, cup_fold_name(f, p->entrant[seat]));
            csv_points(out, p->points[seat]);
            csv_forfeit(out, f->records[i].loser == seat ? &f->records[i] : NULL);
            buf_append_text(out, "\r\n");
        }
    }
}

void api_write_ratings(struct writer *w, const struct ratings *ratings, const char *game, size_t rows_max) {
    size_t count;
    const struct rated **rows = ratings_list(ratings, game, &count);
    writer_text(w, "game", span_of(game));
    writer_int(w, "rated", (int64_t)count);
    writer_list_begin(w, "ratings");
    for (size_t i = 0; i < count && i < rows_max; i++) {
        char volatility[POINTS_BYTES_MAX];
        writer_object_begin(w, NULL);
        writer_int(w, "place", (int64_t)i + 1);
        writer_text(w, "name", span_of(rows[i]->name));
        if (rows[i]->key.bot_level != 0)
            writer_int(w, "bot", rows[i]->key.bot_level);
        else
            writer_null(w, "bot");
        rating_write(w, "rating", rows[i]->now.rating);
        rating_write(w, "deviation", rows[i]->now.deviation);
        snprintf(volatility, sizeof volatility, "%.5f", rows[i]->now.volatility);
        writer_raw(w, "volatility", span_of(volatility));
        writer_int(w, "games", rows[i]->games);
        writer_int(w, "championships", rows[i]->cups);
        writer_int(w, "changed_ms", rows[i]->last_ms);
        writer_object_end(w);
    }
    writer_list_end(w);
    mem_free(rows);
}
