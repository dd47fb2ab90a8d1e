/* Options as rows of a table, beside whoever owns what they set: a protocol in its own source, a command in
 * its own. cli/options.h reads them from the command line and from files, and writes --help from them. */
#ifndef BASE_OPTION_ROW_H
#define BASE_OPTION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPTION_SECONDS_MS_MAX = 24 * 60 * 60 * 1000 };

enum option_kind {
    OPTION_FLAG,    /* bool: true when given */
    OPTION_NO_FLAG, /* bool: false when given */
    OPTION_TEXT,    /* const char *: borrows from argv, or keeps for ever when it comes from a file */
    OPTION_INT,     /* int64_t: within min..max. A default outside of them means that it was not given */
    OPTION_U32,     /* uint32_t: within min..max */
    OPTION_SECONDS, /* uint32_t in milliseconds: "30", "0.5", within min..max milliseconds */
    OPTION_BYTES,   /* size_t: "65536", "512K", "64M", "2G", within min..max bytes */
    OPTION_WORD,    /* int or an enum: index into words */
    OPTION_GONE,    /* sets nothing and is not in --help: who still gives it is told what help says */
};

struct option_row {
    const char *name;  /* without the dashes; NULL ends the table */
    const char *value; /* what the value is called in --help, "ADDR:PORT"; NULL for a flag */
    const char *help;
    enum option_kind kind;
    void *target;  /* holds the default before parsing; NULL: it stands at offset in the owner's struct */
    size_t offset; /* see struct option_group */
    int64_t min, max;
    const char *const *words; /* OPTION_WORD: the allowed words, ended by NULL */
    bool takes_two;           /* OPTION_TEXT: two words on the command line are one text with a space */
};

/* The rows of one owner, and the struct into which their offsets point. */
struct option_group {
    const struct option_row *rows;
    void *base;
};

/* Rows without the fields that a kind does not need. */
#define ROW_TEXT(row_name, row_value, row_target, row_help)                                                  \
    {                                                                                                        \
        .name = (row_name), .value = (row_value), .help = (row_help), .kind = OPTION_TEXT,                   \
        .target = (row_target)                                                                               \
    }
#define ROW_WORD(row_name, row_value, row_target, row_words, row_help)                                       \
    {                                                                                                        \
        .name = (row_name), .value = (row_value), .help = (row_help), .kind = OPTION_WORD,                   \
        .target = (row_target), .words = (row_words)                                                         \
    }
#define ROW_FLAG(row_name, row_target, row_help)                                                             \
    { .name = (row_name), .help = (row_help), .kind = OPTION_FLAG, .target = (row_target) }
#define ROW_SECONDS(row_name, row_target, row_help)                                                          \
    {                                                                                                        \
        .name = (row_name), .value = "SECONDS", .help = (row_help), .kind = OPTION_SECONDS,                  \
        .target = (row_target), .min = 1, .max = OPTION_SECONDS_MS_MAX                                       \
    }
#define ROW_BYTES(row_name, row_target, from, to, row_help)                                                  \
    {                                                                                                        \
        .name = (row_name), .value = "BYTES", .help = (row_help), .kind = OPTION_BYTES,                      \
        .target = (row_target), .min = (from), .max = (to)                                                   \
    }
#define ROW_NUMBER(row_name, row_target, from, to, row_help)                                                 \
    {                                                                                                        \
        .name = (row_name), .value = "N", .help = (row_help), .kind = OPTION_INT, .target = (row_target),    \
        .min = (from), .max = (to)                                                                           \
    }
#define ROW_U32(row_name, row_target, from, to, row_help)                                                    \
    {                                                                                                        \
        .name = (row_name), .value = "N", .help = (row_help), .kind = OPTION_U32, .target = (row_target),    \
        .min = (from), .max = (to)                                                                           \
    }

#define ROW_GONE(row_name, row_help)                                                                         \
    { .name = (row_name), .help = (row_help), .kind = OPTION_GONE }

/* The same for a field of the owner's struct. */
#define FIELD_TEXT(row_name, row_value, type, field, row_help)                                               \
    {                                                                                                        \
        .name = (row_name), .value = (row_value), .help = (row_help), .kind = OPTION_TEXT,                   \
        .offset = offsetof(type, field)                                                                      \
    }
#define FIELD_FLAG(row_name, type, field, row_help)                                                          \
    { .name = (row_name), .help = (row_help), .kind = OPTION_FLAG, .offset = offsetof(type, field) }
#define FIELD_SECONDS(row_name, type, field, from_ms, to_ms, row_help)                                       \
    {                                                                                                        \
        .name = (row_name), .value = "SECONDS", .help = (row_help), .kind = OPTION_SECONDS,                  \
        .offset = offsetof(type, field), .min = (from_ms), .max = (to_ms)                                    \
    }
#define FIELD_INT(row_name, type, field, from, to, row_help)                                                 \
    {                                                                                                        \
        .name = (row_name), .value = "N", .help = (row_help), .kind = OPTION_INT,                            \
        .offset = offsetof(type, field), .min = (from), .max = (to)                                          \
    }
#define FIELD_U32(row_name, type, field, from, to, row_help)                                                 \
    {                                                                                                        \
        .name = (row_name), .value = "N", .help = (row_help), .kind = OPTION_U32,                            \
        .offset = offsetof(type, field), .min = (from), .max = (to)                                          \
    }

#endif
