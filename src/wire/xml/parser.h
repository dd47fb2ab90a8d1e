/* What all XML dialects ask of expat, in one place: a parser that is used again and again, that reports a
 * document at once, that cannot be made slow by chosen names, and that reads nothing but UTF-8. Refusing
 * DOCTYPE, and with it entities, is for the dialects' own handlers, because they word it. */
#ifndef WIRE_XML_PARSER_H
#define WIRE_XML_PARSER_H

#include "base/span.h"

#include <expat.h>

/* Gives; freed with XML_ParserFree. */
XML_Parser xml_parser_create(void);

/* Makes it ready for another document: a reset forgets all settings and handlers, and context is what
 * handlers get. */
void xml_parser_reset(XML_Parser, void *context);

/* After XML_Parse has failed: where and why, one line for people. */
void xml_parser_complain(XML_Parser, char *text, size_t text_size);

/* True for the signs of UTF-16 that expat follows even when it is told that the encoding is UTF-8. */
bool xml_looks_like_utf16(struct span document);

/* True when a declaration names no encoding (NULL) or the right one. */
bool xml_encoding_is_utf8(const char *encoding);

/* How many bytes of the peer's text to quote in a complaint: few, and cut between characters. */
int xml_quote_size(struct span text);

#endif
