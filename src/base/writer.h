/* One walk over a thing, many forms of it: a game describes its view as objects, lists and values, and the
 * writer decides whether that becomes JSON or text for people. */
#ifndef BASE_WRITER_H
#define BASE_WRITER_H

#include "base/buf.h"

enum {
    WRITER_DEPTH_MAX = 16,
    GRID_SIDE_MAX = 26, /* rows or columns: as many as there are letters */
    GRID_CELL_TEXT_BYTES = 8,
    GRID_CELL_NAME_BYTES = 4,
};

enum writer_form { WRITER_JSON, WRITER_TEXT };

struct writer {
    struct buf *out; /* borrows */
    enum writer_form form;
    int depth;
    bool in_list[WRITER_DEPTH_MAX];
    bool has_items[WRITER_DEPTH_MAX];
};

void writer_init(struct writer *, enum writer_form form, struct buf *out);

/* Begins a message in JSON: an object that is still open, with its type. */
struct writer writer_message(struct buf *out, const char *type);

/* The name is ignored inside a list and for the outermost thing; give NULL there. */
void writer_object_begin(struct writer *, const char *name);
void writer_object_end(struct writer *);
void writer_list_begin(struct writer *, const char *name);
void writer_list_end(struct writer *);
void writer_int(struct writer *, const char *name, int64_t value);
void writer_bool(struct writer *, const char *name, bool value);
void writer_text(struct writer *, const char *name, struct span value);
void writer_null(struct writer *, const char *name);

/* One cell of a grid. With a text and an owner it shows both; all zero is an empty cell. */
struct grid_cell {
    uint8_t owner;                   /* 0: nobody; otherwise whose it is, counted from 1: seat + 1 */
    bool is_hole;                    /* there is no cell here: boards that are no rectangle */
    char text[GRID_CELL_TEXT_BYTES]; /* a few characters, ended by NUL: "X", "3" */
};

/* A board of rows * columns cells, row by row from the top. People and programs call a cell by its column's
 * letter from the left and its row's number from the bottom: "a1". An action that is about cells has their
 * names as words of its text, in the order in which a person would point at them: "a1 b2", "put c3". That is
 * all that whoever draws the grid needs to know of a game in order to take clicks on it.
 * In JSON: {"rows":3,"columns":3,"cells":[{"name":"a3","text":"X","owner":0}, ...]}, null for a hole. */
void writer_grid(struct writer *, const char *name, unsigned rows, unsigned columns,
                 const struct grid_cell *cells);

/* The name of a cell by its row and column from the top left of so many rows, and back: false when the text
 * names no cell of such a grid. */
void grid_cell_format(unsigned rows, unsigned row, unsigned column, char name[GRID_CELL_NAME_BYTES]);
bool grid_cell_parse(struct span name, unsigned rows, unsigned columns, unsigned *row, unsigned *column);

/* Something that another writer of the same form has written. */
void writer_raw(struct writer *, const char *name, struct span written);

#endif
