#include "cli/options.h"

#include "base/buf.h"
#include "base/mem.h"
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONFIG_BYTES_MAX = 64 * 1024, HELP_COLUMN = 34 };

static const struct option_row *row_find(const struct options *o, struct span name) {
    for (const struct option_row *row = o->rows; row->name != NULL; row++)
        if (span_is(name, row->name))
            return row;
    return NULL;
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

static bool word_parse(const char *const *words, const char *text, int *out) {
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return true;
        }
    return false;
}

static void print_allowed(const struct option_row *row) {
    switch (row->kind) {
    case OPTION_INT:
        fprintf(stderr, "a number from %lld to %lld", (long long)row->min, (long long)row->max);
        break;
    case OPTION_SECONDS:
        fprintf(stderr, "seconds from %g to %g", (double)row->min / 1000, (double)row->max / 1000);
        break;
    case OPTION_WORD:
        for (int i = 0; row->words[i] != NULL; i++)
            fprintf(stderr, "%s%s", i == 0 ? "" : " or ", row->words[i]);
        break;
    case OPTION_FLAG: fprintf(stderr, "yes or no"); break;
    case OPTION_TEXT: fprintf(stderr, "%s", row->value); break;
    }
}

static bool value_set(const struct option_row *row, const char *text) {
    switch (row->kind) {
    case OPTION_TEXT: *(const char **)row->target = text; return true;
    case OPTION_INT: {
        int64_t value;
        if (!span_to_int(span_of(text), &value) || value < row->min || value > row->max)
            return false;
        *(int64_t *)row->target = value;
        return true;
    }
    case OPTION_SECONDS: return seconds_parse(text, row->min, row->max, row->target);
    case OPTION_WORD: return word_parse(row->words, text, row->target);
    case OPTION_FLAG:
        *(bool *)row->target = strcmp(text, "yes") == 0;
        return strcmp(text, "yes") == 0 || strcmp(text, "no") == 0;
    }
    return false;
}

static bool row_set(const struct option_row *row, const char *text, const char *second) {
    if (!value_set(row, text)) {
        fprintf(stderr, "parlor: --%s cannot be '%s': it takes ", row->name, text);
        print_allowed(row);
        fputc('\n', stderr);
        return false;
    }
    if (row->second != NULL)
        *row->second = second;
    if (row->is_given != NULL)
        *row->is_given = true;
    return true;
}

static void print_default(const struct option_row *row) {
    if (row->kind == OPTION_INT && row->is_given == NULL)
        printf(" (default %lld)", (long long)*(int64_t *)row->target);
    else if (row->kind == OPTION_SECONDS)
        printf(" (default %g)", *(uint32_t *)row->target / 1000.0);
    else if (row->kind == OPTION_WORD)
        printf(" (default %s)", row->words[*(int *)row->target]);
    else if (row->kind == OPTION_TEXT && *(const char **)row->target != NULL)
        printf(" (default %s)", *(const char **)row->target);
}

static void print_help(const struct options *o) {
    printf("usage: parlor %s [options]%s%s\n\n%s\n\noptions:\n", o->command, *o->operands ? " " : "",
           o->operands, o->about);
    for (const struct option_row *row = o->rows; row->name != NULL; row++) {
        int width = printf("  --%s%s%s", row->name, row->value == NULL ? "" : " ",
                           row->value == NULL ? "" : row->value);
        if (width >= HELP_COLUMN)
            width = printf("\n") - 1;
        printf("%*s%s", HELP_COLUMN - width, "", row->help);
        print_default(row);
        putchar('\n');
    }
    printf("  %-*s%s\n", HELP_COLUMN - 2, "--help", "show this");
}

/* Texts from files, which targets borrow for the life of the program. */
struct kept {
    struct kept *next;
    char text[];
};
static struct kept *kept_texts;

static char *text_keep(struct span text) {
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
    const struct option_row *row = row_find(o, name);
    if (row == NULL || strcmp(row->name, "config") == 0) {
        fprintf(stderr, "parlor: %s:%d: no option '%.*s'\n", path, number, (int)name.size, name.data);
        return false;
    }
    if (equals == NULL) {
        fprintf(stderr, "parlor: %s:%d: a line is NAME = VALUE\n", path, number);
        return false;
    }
    struct span value = span_trim(span_make(equals + 1, line.size - (size_t)(equals + 1 - line.data)));
    char *text = text_keep(value);
    char *second = row->second == NULL ? NULL : strrchr(text, ' ');
    if (row->second != NULL && second == NULL) {
        fprintf(stderr, "parlor: %s:%d: '%s' takes two values\n", path, number, row->name);
        return false;
    }
    if (second != NULL)
        *second++ = '\0';
    if (row_set(row, text, second))
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

/* The pieces of argv that belong to one option. */
struct given {
    const struct option_row *row;
    const char *value, *second;
};

/* Reads the option at argv[*i] and moves *i to its last piece. */
static bool option_take(const struct options *o, int argc, char **argv, int *i, struct given *out) {
    const char *text = argv[*i] + 2, *equals = strchr(text, '=');
    size_t size = equals == NULL ? strlen(text) : (size_t)(equals - text);
    *out = (struct given){.row = row_find(o, span_make(text, size))};
    if (out->row == NULL) {
        fprintf(stderr, "parlor: no option '--%.*s'; see 'parlor %s --help'\n", (int)size, text, o->command);
        return false;
    }
    if (out->row->kind == OPTION_FLAG) {
        out->value = equals == NULL ? "yes" : equals + 1;
        return true;
    }
    out->value = equals != NULL ? equals + 1 : *i + 1 < argc ? argv[++*i] : NULL;
    if (out->row->second != NULL)
        out->second = *i + 1 < argc ? argv[++*i] : NULL;
    if (out->value == NULL || (out->row->second != NULL && out->second == NULL)) {
        fprintf(stderr, "parlor: --%s takes %s\n", out->row->name, out->row->value);
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
        bool is_config = strcmp(given.row->name, "config") == 0;
        if (is_config == config_only && !row_set(given.row, given.value, given.second))
            return false;
        if (is_config && config_only && !config_read(o, given.value))
            return false;
    }
    return true;
}

int options_parse(const struct options *o, int argc, char **argv, struct operands *out) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(o);
            return 0;
        }
    if (!options_apply(o, argc, argv, true, &out->count) || !options_apply(o, argc, argv, false, &out->count))
        return EXIT_USAGE;
    out->list = argv + 1;
    if (out->count < o->operands_min || out->count > o->operands_max) {
        fprintf(stderr, "parlor: usage: parlor %s [options]%s%s\n", o->command, *o->operands ? " " : "",
                o->operands);
        return EXIT_USAGE;
    }
    return OPTIONS_GO_ON;
}

enum err options_address(const char *text, char *host, size_t host_size, uint16_t *port) {
    const char *colon = strrchr(text, ':');
    int64_t number;
    if (colon == NULL || !span_to_int(span_of(colon + 1), &number) || number < 0 || number > 65535)
        return ERR_ADDRESS;
    struct span address = span_make(text, (size_t)(colon - text));
    if (address.size > 2 && address.data[0] == '[' && address.data[address.size - 1] == ']')
        address = span_make(address.data + 1, address.size - 2);
    if (address.size == 0 || !span_copy(address, host, host_size))
        return ERR_ADDRESS;
    *port = (uint16_t)number;
    return ERR_OK;
}
