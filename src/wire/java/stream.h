/* Java object streams (the Object Serialization Stream Protocol, version 5) of a closed list of classes: no
 * reflection, nothing that is not in the list, everything bounded. What a class is stands in a table.
 *
 *     stream      ac ed 00 05, then messages; 79 between them forgets all handles
 *     70          null
 *     71          reference: u4, 007e0000 + the number of a handle
 *     72          descriptor: u2 and name, 8 bytes serialVersionUID, HANDLE, u1 flags, u2 number of fields,
 * the fields, 78, the descriptor of the superclass. A field is its type code, u2 and name, and for L and [
 * its type as a string or a reference to one 73          object: descriptor, HANDLE, the values class by
 * class from the topmost superclass down 74          string: HANDLE, u2 and modified UTF-8 75          array:
 * descriptor, HANDLE, s4 length, the elements 77          block data: u1 length, bytes. Only inside lists and
 * maps 78          the end of a descriptor, of a list, of a map 7e          enum constant: descriptor,
 * HANDLE, its name as a new string
 *
 * Handles are numbers from 0 in the order in which things are written, each at the place marked HANDLE. */
#ifndef WIRE_JAVA_STREAM_H
#define WIRE_JAVA_STREAM_H

#include "base/buf.h"
#include "base/err.h"

enum {
    JAVA_HEADER_BYTES = 4,
    JAVA_HANDLE_BASE = 0x7e0000,
    JAVA_DEPTH_MAX = 8,                 /* of values in each other */
    JAVA_VALUES_MAX = 1024,             /* of one message */
    JAVA_MESSAGE_BYTES_MAX = 16 * 1024, /* of one message */
    JAVA_HANDLES_MAX = INT32_MAX / 2,   /* of one stream, from one reset to the next */
    JAVA_KNOWN_MAX = 4096,              /* of those that can be referred to */
    JAVA_KNOWN_BYTES_MAX = 64 * 1024,   /* of the texts among them */
    JAVA_COMPLAINT_BYTES_MAX = 160,
    JAVA_SEEN_MAX = 160, /* classes, types and constants that a writer refers back to */
};

/* What a value is, and what objects of a class are. */
enum java_kind {
    JAVA_NULL,
    JAVA_INT, /* of a field: as it stands, not an object */
    JAVA_FLAG,
    JAVA_STRING,
    JAVA_RECORD, /* has fields; only ever a message */
    JAVA_ENUM,
    JAVA_LIST,
    JAVA_MAP,
    JAVA_ARRAY,
    JAVA_INTEGER,
    JAVA_BOOLEAN,
    JAVA_SUPER, /* only ever a superclass */
};

struct java_field {
    char type; /* Z, I, F, L or [ */
    const char *name;
    const char *signature; /* of L and [; the same text is the same pointer */
};

struct java_class {
    const char *name;
    uint64_t number; /* serialVersionUID */
    uint8_t flags;
    enum java_kind kind;
    const struct java_field *fields; /* in the order of the stream, ended by {0}; NULL: none */
    const struct java_class *super;
    const char *const *words; /* of an enum: its constants, ended by NULL */
};

enum { JAVA_SERIALIZABLE = 0x02, JAVA_WRITES_ITSELF = 0x01, JAVA_IS_ENUM = 0x10 };

/* Classes of Java itself. */
extern const struct java_class java_array_list, java_hash_map, java_linked_hash_map, java_integer,
    java_number, java_boolean, java_enum, java_strings, java_string_rows;

/* Types of fields. */
extern const char java_of_string[], java_of_map[], java_of_hash_map[], java_of_array_list[],
    java_of_string_rows[];

/* A value of a message. */
struct java_value {
    enum java_kind kind;
    bool is_reference; /* what has this handle, once more */
    uint32_t handle;
    const struct java_class *class; /* NULL: a string, a number, a flag or null */
    struct span text;               /* of a string: modified UTF-8, borrowed until the next message */
    int32_t number;        /* of numbers and flags; of an enum: which constant; of a list: its capacity; of a
                              map: its buckets */
    int32_t threshold;     /* of a map */
    uint32_t first, count; /* its own values: fields; elements; keys and values in turns */
};

struct java_message {
    struct java_value values[JAVA_VALUES_MAX]; /* the message itself is the first */
    uint32_t count;
};

/* The value at a place among those of another. */
static inline const struct java_value *java_item(const struct java_message *m, const struct java_value *of,
                                                 uint32_t place) {
    return &m->values[of->first + place];
}

/* What one direction of a connection has said so far. Zeroed: nothing. */
struct java_reader {
    const struct java_class *const *classes; /* borrowed, ended by NULL; those that may come */
    /* Lists and maps can be referred to as well, and have no values then. Clients never do that; servers of
     * Java do, and whoever reads what one has said must know where the next message begins. */
    bool knows_lists;
    bool has_begun;
    uint32_t handle_count;
    struct java_known *known;
    uint32_t known_count, known_capacity;
    struct buf texts; /* of strings that are known */
};

enum java_result {
    JAVA_MORE,    /* the input ends before the message does */
    JAVA_MESSAGE, /* one is whole */
    JAVA_PASSED,  /* the header or a reset, which is no message */
    JAVA_REFUSED, /* it cannot be read; nothing more can be */
};

/* Reads what comes next from the front of the bytes; *size is how much it is, or, of JAVA_MORE, how much is
 * missing at least. Until a message is whole the reader is as it was. Refused, with a sentence in complaint
 * that names the byte or the class: everything that is not in the list of classes, or beyond a ceiling. */
enum java_result java_read(struct java_reader *, struct span bytes, struct java_message *out, size_t *size,
                           char complaint[JAVA_COMPLAINT_BYTES_MAX]);
void java_reader_free(struct java_reader *);

/* Modified UTF-8 as UTF-8, appended. Half a surrogate pair stays as it is, and is no UTF-8 then. */
void java_text_append(struct buf *out, struct span modified);

/* A message for people: its class without the package, and its fields as JSON. */
void java_show(const struct java_message *, struct buf *out);

/* A writer. What is put must fit the classes: a record is followed by its fields in their order, and so on.
 */
struct java_writer {
    struct buf *out;
    uint32_t handle_count;
    struct {
        const void *key; /* a class, a type, or the word of a constant */
        uint32_t handle;
    } seen[JAVA_SEEN_MAX];
    uint32_t seen_count;
};

void java_begin(struct java_writer *, struct buf *out);
void java_put_header(struct java_writer *);
void java_put_reset(struct java_writer *);
void java_put_record(struct java_writer *, const struct java_class *);
void java_put_int(struct java_writer *, int32_t); /* a field */
void java_put_flag(struct java_writer *, bool);   /* a field */
void java_put_null(struct java_writer *);
void java_put_text(struct java_writer *, struct span utf8);
void java_put_modified(struct java_writer *, struct span modified);
void java_put_word(struct java_writer *, const struct java_class *, unsigned word);
void java_put_integer(struct java_writer *, int32_t);
void java_put_boolean(struct java_writer *, bool);
void java_put_array(struct java_writer *, const struct java_class *, uint32_t count);
/* A list or map: as many values as it has follow, and its end. */
void java_put_list(struct java_writer *, uint32_t count, uint32_t capacity);
void java_put_list_end(struct java_writer *);
void java_put_map(struct java_writer *, const struct java_class *, uint32_t count, int32_t buckets,
                  int32_t threshold);
void java_put_map_end(struct java_writer *, const struct java_class *);
/* Something that this stream has said before. */
void java_put_reference(struct java_writer *, uint32_t handle);

#endif
