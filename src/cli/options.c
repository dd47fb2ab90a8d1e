#include "cli/options.h"

#include "base/buf.h"
#include "base/mem.h"
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONFIG_BYTES_MAX = 64 * 1024, HELP_COLUMN = 34, HELP_COLUMNS = 110, DEFAULT_BYTES = 256 };

void options_each(const struct options *o, bool (*visit)(void *context, const struct option_place *),
                  void *context) {
    const struct option_group own = {.rows = o->rows};
    for (const struct option_group *group = &own; group != NULL && group->rows != NULL;
         group = group == &own ? o->groups : group + 1)
        for (const struct option_row *row = group->rows; row->name != NULL; row++) {
            void *target = row->target != NULL   ? row->target
                           : group->base != NULL ? (char *)group->base + row->offset
                                                 : NULL;
            if (!visit(context, &(struct option_place){row, target}))
                return;
        }
}

struct row_search {
    struct span name;
    struct option_place found;
};

static bool row_compare(void *context, const struct option_place *place) {
    struct row_search *search = context;
    if (!span_is(search->name, place->row->name))
        return true;
    search->found = *place;
    return false;
}

static struct option_place row_find(const struct options *o, struct span name) {
    struct row_search search = {.name = name};
    options_each(o, row_compare, &search);
    return search.found;
}

static bool seconds_parse(const char *text, int64_t min, int64_t max, uint32_t *out) {
    char *end;
    errno = 0;
    double seconds = strtod(text, &end);
    if (errno != 0 || end == text || *end != '\0' || !(seconds >= 0 && seconds <= 1e6))
        return false;
    int64_t ms = (int64_t)(seconds * 1000 + 0.5);
    if (ms < min || ms > max)
        return false;
    *out = (uint32_t)ms;
    return true;
}

static const char byte_units[] = "KMG"; /* each 1024 times the one before */

static bool bytes_parse(const char *text, int64_t min, int64_t max, size_t *out) {
    size_t size = strlen(text);
    const char *unit = size == 0 ? NULL : strchr(byte_units, text[size - 1]);
    int64_t factor = unit == NULL ? 1 : (int64_t)1024 << 10 * (unit - byte_units), number;
    if (!span_to_int(span_make(text, size - (unit != NULL)), &number) || number < 0 ||
        number > INT64_MAX / factor || number * factor < min || number * factor > max)
        return false;
    *out = (size_t)(number * factor);
    return true;
}

/* With the largest unit of which it is a multiple. */
static void bytes_format(char *text, size_t size, int64_t bytes) {
    size_t unit = 0;
    for (; unit < sizeof byte_units - 1 && bytes != 0 && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    snprintf(text, size, "%lld%.*s", (long long)bytes, unit > 0, byte_units + (unit > 0 ? unit - 1 : 0));
}

static bool word_parse(const char *const *words, const char *text, int *out) {
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return true;
        }
    return false;
}

static void print_allowed(const struct option_row *row) {
    char least[DEFAULT_BYTES], most[DEFAULT_BYTES];
    switch (row->kind) {
    case OPTION_INT:
    case OPTION_U32:
        fprintf(stderr, "a number from %lld to %lld", (long long)row->min, (long long)row->max);
        break;
    case OPTION_SECONDS:
        fprintf(stderr, "seconds from %g to %g", (double)row->min / 1000, (double)row->max / 1000);
        break;
    case OPTION_BYTES:
        bytes_format(least, sizeof least, row->min);
        bytes_format(most, sizeof most, row->max);
        fprintf(stderr, "bytes from %s to %s", least, most);
        break;
    case OPTION_WORD:
        for (int i = 0; row->words[i] != NULL; i++)
            fprintf(stderr, "%s%s", i == 0 ? "" : " or ", row->words[i]);
        break;
    case OPTION_FLAG:
    case OPTION_NO_FLAG: fprintf(stderr, "yes or no"); break;
    case OPTION_TEXT: fprintf(stderr, "%s", row->value); break;
    case OPTION_GONE: break;
    }
}

static bool options_number_parse(const struct option_row *row, const char *text, int64_t *out) {
    return span_to_int(span_of(text), out) && *out >= row->min && *out <= row->max;
}

static bool flag_parse(const char *text, bool when_given, bool *out) {
    bool is_yes = strcmp(text, "yes") == 0;
    *out = is_yes == when_given;
    return is_yes || strcmp(text, "no") == 0;
}

static bool value_set(const struct option_place *place, const char *text) {
    const struct option_row *row = place->row;
    int64_t number;
    switch (row->kind) {
    case OPTION_TEXT: *(const char **)place->target = text; return true;
    case OPTION_INT:
        if (!options_number_parse(row, text, &number))
            return false;
        *(int64_t *)place->target = number;
        return true;
    case OPTION_U32:
        if (!options_number_parse(row, text, &number))
            return false;
        *(uint32_t *)place->target = (uint32_t)number;
        return true;
    case OPTION_SECONDS: return seconds_parse(text, row->min, row->max, place->target);
    case OPTION_BYTES: return bytes_parse(text, row->min, row->max, place->target);
    case OPTION_WORD: return word_parse(row->words, text, place->target);
    case OPTION_FLAG: return flag_parse(text, true, place->target);
    case OPTION_NO_FLAG: return flag_parse(text, false, place->target);
    case OPTION_GONE: break;
    }
    return false;
}

static bool row_set(const struct option_place *place, const char *text) {
    if (place->row->kind == OPTION_GONE) {
        fprintf(stderr, "parlor: --%s is gone: %s\n", place->row->name, place->row->help);
        return false;
    }
    if (value_set(place, text))
        return true;
    fprintf(stderr, "parlor: --%s cannot be '%s': it takes ", place->row->name, text);
    print_allowed(place->row);
    fputc('\n', stderr);
    return false;
}

bool options_default(const struct option_place *place, char *text, size_t size) {
    const struct option_row *row = place->row;
    switch (row->kind) {
    case OPTION_INT:
        snprintf(text, size, "%lld", (long long)*(int64_t *)place->target);
        return *(int64_t *)place->target >= row->min;
    case OPTION_U32: snprintf(text, size, "%u", *(uint32_t *)place->target); return true;
    case OPTION_SECONDS: snprintf(text, size, "%g", *(uint32_t *)place->target / 1000.0); return true;
    case OPTION_BYTES: bytes_format(text, size, (int64_t) * (size_t *)place->target); return true;
    case OPTION_WORD: snprintf(text, size, "%s", row->words[*(int *)place->target]); return true;
    case OPTION_TEXT:
        snprintf(text, size, "%s",
                 *(const char **)place->target == NULL ? "" : *(const char **)place->target);
        return *(const char **)place->target != NULL;
    case OPTION_FLAG:
    case OPTION_NO_FLAG:
    case OPTION_GONE: return false;
    }
    return false;
}

/* Words from HELP_COLUMN on, where the cursor is; gives the column after them. */
static int options_print_words(const char *text) {
    int column = HELP_COLUMN;
    for (int size; *text != '\0'; text += size + (text[size] == ' ')) {
        size = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + size > HELP_COLUMNS)
            column = printf("\n%*s", HELP_COLUMN, "") - 1;
        column += printf("%s%.*s", column > HELP_COLUMN ? " " : "", size, text);
    }
    return column;
}

static bool print_row(void *context, const struct option_place *place) {
    (void)context;
    const struct option_row *row = place->row;
    if (row->kind == OPTION_GONE)
        return true;
    int width =
        printf("  --%s%s%s", row->name, row->value == NULL ? "" : " ", row->value == NULL ? "" : row->value);
    if (width >= HELP_COLUMN)
        width = printf("\n") - 1;
    char text[DEFAULT_BYTES];
    printf("%*s", HELP_COLUMN - width, "");
    int column = options_print_words(row->help);
    if (options_default(place, text, sizeof text)) {
        bool fits = column + (int)strlen(text) + (int)sizeof " (default )" <= HELP_COLUMNS;
        if (!fits)
            printf("\n%*s", HELP_COLUMN - 1, "");
        printf(" (default %s)", text);
    }
    putchar('\n');
    return true;
}

static void options_print_help(const struct options *o) {
    printf("usage: parlor %s [options]%s%s\n\n%s\n\noptions:\n", o->command, *o->operands ? " " : "",
           o->operands, o->about);
    options_each(o, print_row, NULL);
    printf("  %-*s%s\n", HELP_COLUMN - 2, "--help", "show this");
}

/* Texts from files, which targets borrow for the life of the program. */
struct kept {
    struct kept *next;
    char text[];
};
static struct kept *kept_texts;

static char *options_text_keep(struct span text) {
    struct kept *kept = mem_alloc(sizeof *kept + text.size + 1);
    memcpy(kept->text, text.data, text.size);
    kept->next = kept_texts;
    kept_texts = kept;
    return kept->text;
}

static bool config_line(const struct options *o, const char *path, int number, struct span line) {
    line = span_trim(line);
    if (line.size == 0 || line.data[0] == '#')
        return true;
    const char *equals = memchr(line.data, '=', line.size);
    struct span name =
        span_trim(span_make(line.data, equals == NULL ? line.size : (size_t)(equals - line.data)));
    struct option_place place = row_find(o, name);
    if (place.row == NULL || strcmp(place.row->name, "config") == 0) {
        fprintf(stderr, "parlor: %s:%d: no option '%.*s'\n", path, number, (int)name.size, name.data);
        return false;
    }
    if (equals == NULL) {
        fprintf(stderr, "parlor: %s:%d: a line is NAME = VALUE\n", path, number);
        return false;
    }
    struct span value = span_trim(span_make(equals + 1, line.size - (size_t)(equals + 1 - line.data)));
    const char *text = options_text_keep(value);
    if (place.row->takes_two && strchr(text, ' ') == NULL) {
        fprintf(stderr, "parlor: %s:%d: '%s' takes two values\n", path, number, place.row->name);
        return false;
    }
    if (row_set(&place, text))
        return true;
    fprintf(stderr, "parlor: the line above is %s:%d\n", path, number);
    return false;
}

static bool config_read(const struct options *o, const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "parlor: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    char *content = mem_alloc(CONFIG_BYTES_MAX);
    size_t size = fread(content, 1, CONFIG_BYTES_MAX, file);
    bool is_good = !ferror(file) && size < CONFIG_BYTES_MAX;
    if (!is_good)
        fprintf(stderr, "parlor: %s is not a configuration file\n", path);
    struct span rest = span_make(content, size);
    for (int number = 1; is_good && rest.size > 0; number++) {
        const char *end = memchr(rest.data, '\n', rest.size);
        size_t line = end == NULL ? rest.size : (size_t)(end - rest.data);
        is_good = config_line(o, path, number, span_make(rest.data, line));
        size_t taken = end == NULL ? line : line + 1;
        rest = span_make(rest.data + taken, rest.size - taken);
    }
    fclose(file);
    mem_free(content);
    return is_good;
}

/* What argv says of one option. */
struct given {
    struct option_place place;
    const char *value;
};

/* The two words of an option as one text. */
static const char *words_join(const char *first, const char *second) {
    struct buf joined = {0};
    buf_printf(&joined, "%s %s", first, second);
    const char *text = options_text_keep(buf_span(&joined));
    buf_free(&joined);
    return text;
}

/* Reads the option at argv[*i] and moves *i to its last piece. */
static bool option_take(const struct options *o, int argc, char **argv, int *i, struct given *out) {
    const char *text = argv[*i] + 2, *equals = strchr(text, '=');
    size_t size = equals == NULL ? strlen(text) : (size_t)(equals - text);
    *out = (struct given){.place = row_find(o, span_make(text, size))};
    const struct option_row *row = out->place.row;
    if (row == NULL) {
        fprintf(stderr, "parlor: no option '--%.*s'; see 'parlor %s --help'\n", (int)size, text, o->command);
        return false;
    }
    if (row->kind == OPTION_FLAG || row->kind == OPTION_NO_FLAG || row->kind == OPTION_GONE) {
        out->value = equals == NULL ? "yes" : equals + 1;
        return true;
    }
    out->value = equals != NULL ? equals + 1 : *i + 1 < argc ? argv[++*i] : NULL;
    if (out->value != NULL && row->takes_two)
        out->value = *i + 1 < argc ? words_join(out->value, argv[++*i]) : NULL;
    if (out->value == NULL) {
        fprintf(stderr, "parlor: --%s takes %s\n", row->name, row->value);
        return false;
    }
    return true;
}

static bool options_apply(const struct options *o, int argc, char **argv, bool config_only,
                          int *operand_count) {
    bool only_operands = false;
    *operand_count = 0;
    for (int i = 1; i < argc; i++) {
        if (only_operands || strncmp(argv[i], "--", 2) != 0) {
            if (!config_only)
                argv[++*operand_count] = argv[i]; /* never ahead of i */
            continue;
        }
        if (strcmp(argv[i], "--") == 0) {
            only_operands = true;
            continue;
        }
        struct given given;
        if (!option_take(o, argc, argv, &i, &given))
            return false;
        bool is_config = strcmp(given.place.row->name, "config") == 0;
        if (is_config == config_only && !row_set(&given.place, given.value))
            return false;
        if (is_config && config_only && !config_read(o, given.value))
            return false;
    }
    return true;
}

/* Too few operands, or one too many. */
static void complain_operands(const struct options *o, const struct operands *found) {
    if (found->count < o->operands_min)
        fprintf(stderr, "parlor: %s needs %s; see 'parlor %s --help'\n", o->command, o->operands, o->command);
    else if (o->operands_max == 0)
        fprintf(stderr, "parlor: %s takes options only, no '%s'; see 'parlor %s --help'\n", o->command,
                found->list[0], o->command);
    else
        fprintf(stderr, "parlor: %s takes %s, and '%s' is too much; see 'parlor %s --help'\n", o->command,
                o->operands, found->list[o->operands_max], o->command);
}

/* True when help was asked for, and given. */
static bool help_give(const struct options *o, const char *word) {
    static const char form[] = "--help=";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        options_print_help(o);
        return true;
    }
    return strncmp(word, form, sizeof form - 1) == 0 && options_print_form(o, word + sizeof form - 1);
}

int options_parse(const struct options *o, int argc, char **argv, struct operands *out) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (help_give(o, argv[i]))
            return 0;
    if (!options_apply(o, argc, argv, true, &out->count) || !options_apply(o, argc, argv, false, &out->count))
        return EXIT_USAGE;
    out->list = argv + 1;
    if (out->count < o->operands_min || out->count > o->operands_max) {
        complain_operands(o, out);
        return EXIT_USAGE;
    }
    return OPTIONS_GO_ON;
}
