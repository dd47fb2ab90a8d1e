/* What all XML dialects ask of expat, in one place: a parser that is used again and again, that reports a
 * document at once, that cannot be made slow by chosen names, and that reads nothing but UTF-8 without
 * DOCTYPE, and so without entities. And how texts are written. */
#ifndef WIRE_XML_PARSER_H
#define WIRE_XML_PARSER_H

#include "base/buf.h"
#include "base/err.h"

#include <expat.h>

enum { XML_COMPLAINT_BYTES_MAX = 200 };

/* The first member of a dialect's own reader, which is what handlers get. */
struct xml_reader {
    XML_Parser parser;
    struct buf arena; /* for decoded texts, which are never longer than their source: it does not move */
    enum err refusal; /* why a handler stopped the parser */
    char complaint[XML_COMPLAINT_BYTES_MAX]; /* more about a refusal; empty when there is no more */
};

void xml_reader_init(struct xml_reader *);
void xml_reader_free(struct xml_reader *);

/* Stops the parser, from inside a handler; the first reason counts. */
void xml_reader_refuse(struct xml_reader *, enum err);

/* Keeps a piece of text in the arena. Returns where, until the next document. */
struct span xml_reader_keep(struct xml_reader *, struct span text);

/* Reads a document, with handlers as expat has them. Returns what a handler refused, ERR_ENCODING,
 * ERR_DOCTYPE, or ERR_MALFORMED with the place in the complaint. */
enum err xml_reader_parse(struct xml_reader *, struct span document, XML_StartElementHandler,
                          XML_EndElementHandler, XML_CharacterDataHandler) MUST_CHECK;

/* True for the signs of UTF-16 that expat follows even when it is told that the encoding is UTF-8. */
bool xml_looks_like_utf16(struct span document);

/* How many bytes of the peer's text to quote in a complaint: few, and cut between characters. */
int xml_quote_size(struct span text);

/* Appends a text or the value of an attribute. Those of its characters that are among special, none of which
 * comes after '>', are written as references, and those that XML does not have as U+FFFD. */
void xml_write_text(struct buf *out, struct span text, const char *special);

#endif
