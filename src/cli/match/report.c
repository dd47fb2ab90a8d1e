/* What a match has shown, for people and for programs. */
#include "cli/match/match.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

static const char *const fault_words[FAULT_KINDS] = {
    [FAULT_CRASH] = "crashes", [FAULT_ILLEGAL] = "illegal", [FAULT_TIME] = "timeouts"};

static const char *const verdict_words[] = {[SPRT_OPEN] = "open", [SPRT_ELO0] = "elo0", [SPRT_ELO1] = "elo1"};

static uint32_t report_games(const struct match *m) {
    return m->counted - m->broken;
}

static double report_score(const struct match *m, const struct match_contestant *c) {
    return report_games(m) == 0 ? 0.5 : c->score / report_games(m);
}

/* Infinity is no number in JSON. */
static json_t *report_number(double value) {
    return isfinite(value) ? json_real(round(value * 10000) / 10000) : json_null();
}

static json_t *report_interval(struct interval i) {
    return json_pack("[o,o]", report_number(i.low), report_number(i.high));
}

static json_t *report_contestant(const struct match *m, const struct match_contestant *c) {
    double score = report_score(m, c);
    struct interval part = wilson(score, report_games(m));
    struct interval elo = {elo_of_score(part.low), elo_of_score(part.high)};
    json_t *row =
        json_pack("{s:s, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "contestant", c->text, "won",
                  (int)c->won, "drawn", (int)c->drawn, "lost", (int)c->lost, "score", report_number(score),
                  "score_interval", report_interval(part), "elo", report_number(elo_of_score(score)),
                  "elo_interval", report_interval(elo), "superiority",
                  report_number(superiority(c->won, c->lost)), "points", report_number(c->score));
    for (unsigned i = FAULT_CRASH; i < FAULT_KINDS; i++)
        json_object_set_new(row, fault_words[i], json_integer(c->faults[i]));
    if (c->moves > 0) {
        json_object_set_new(row, "decisions", json_integer((json_int_t)c->moves));
        json_object_set_new(row, "decision_ms",
                            report_number((double)c->thought_ns / (double)c->moves / 1e6));
        json_object_set_new(row, "decision_ms_max", report_number((double)c->longest_ns / 1e6));
    }
    return row;
}

static json_t *report_sprt(const struct match *m) {
    const struct sprt *s = &m->sprt;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "elo0", report_number(s->elo0), "elo1",
                     report_number(s->elo1), "alpha", report_number(s->alpha), "beta", report_number(s->beta),
                     "ratio", report_number(sprt_ratio(s)), "bounds", report_interval(sprt_bounds(s)),
                     "verdict", verdict_words[m->verdict]);
}

bool match_save(const struct match *m, const char *path) {
    json_t *rows = json_array();
    for (unsigned i = 0; i < m->count; i++)
        json_array_append_new(rows, report_contestant(m, &m->contestant[i]));
    json_t *report = json_pack("{s:s, s:s, s:i, s:i, s:i, s:I, s:i, s:i, s:o}", "game", m->game->name,
                               "options", m->options_text, "seats", (int)m->count, "games",
                               (int)report_games(m), "broken", (int)m->broken, "seed", (json_int_t)m->seed,
                               "opening", (int)m->opening, "time_ms", (int)m->ms, "contestants", rows);
    if (m->sprt.is_on)
        json_object_set_new(report, "sprt", report_sprt(m));
    bool is_saved = json_dump_file(report, path, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0;
    json_decref(report);
    return is_saved;
}

static void report_print_contestant(const struct match *m, const struct match_contestant *c) {
    double score = report_score(m, c);
    struct interval part = wilson(score, report_games(m));
    printf("%c %-28s %5.1f %%  (%.1f to %.1f)  won %u, drawn %u, lost %u", 'A' + (int)(c - m->contestant),
           c->text, 100 * score, 100 * part.low, 100 * part.high, c->won, c->drawn, c->lost);
    printf("  elo %+.0f (%+.0f to %+.0f)  better: %.1f %%", elo_of_score(score), elo_of_score(part.low),
           elo_of_score(part.high), 100 * superiority(c->won, c->lost));
    for (unsigned i = FAULT_CRASH; i < FAULT_KINDS; i++)
        if (c->faults[i] > 0)
            printf("  %s %u", fault_words[i], c->faults[i]);
    if (c->moves > 0)
        printf("  %.2f ms a decision, at most %.1f", (double)c->thought_ns / (double)c->moves / 1e6,
               (double)c->longest_ns / 1e6);
    printf("\n");
}

void match_print(const struct match *m) {
    printf("%s, %u games", m->game->title, report_games(m));
    if (m->broken > 0)
        printf(", %u more could not be played", m->broken);
    printf("\n");
    for (unsigned i = 0; i < m->count; i++)
        report_print_contestant(m, &m->contestant[i]);
    if (m->sprt.is_on) {
        struct interval bounds = sprt_bounds(&m->sprt);
        static const char *const sentences[] = {[SPRT_OPEN] = "undecided",
                                                [SPRT_ELO0] = "the first is not better by elo1",
                                                [SPRT_ELO1] = "the first is better than elo0"};
        printf("sprt elo0=%g elo1=%g: ratio %.2f in %.2f to %.2f: %s\n", m->sprt.elo0, m->sprt.elo1,
               sprt_ratio(&m->sprt), bounds.low, bounds.high, sentences[m->verdict]);
    }
}
