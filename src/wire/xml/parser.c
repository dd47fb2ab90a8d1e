#include "wire/xml/parser.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>
#include <sys/random.h>

enum { QUOTE_BYTES_MAX = 40 };

XML_Parser xml_parser_create(void) {
    XML_Parser parser = XML_ParserCreate("UTF-8");
    assert(parser != NULL);
    return parser;
}

/* expat draws a random salt for every document unless it is given one. */
static unsigned long hash_salt(void) {
    static unsigned long salt;
    while (salt == 0)
        if (getrandom(&salt, sizeof salt, 0) != (ssize_t)sizeof salt)
            salt = 0;
    return salt;
}

void xml_parser_reset(XML_Parser parser, void *context) {
    XML_Bool is_reset = XML_ParserReset(parser, "UTF-8");
    assert(is_reset == XML_TRUE);
    (void)is_reset;
#ifdef HAVE_XML_REPARSE_DEFERRAL
    XML_SetReparseDeferralEnabled(parser, XML_FALSE);
#endif
    XML_SetHashSalt(parser, hash_salt());
    XML_SetUserData(parser, context);
}

void xml_parser_complain(XML_Parser parser, char *text, size_t text_size) {
    snprintf(text, text_size, "line %lu, column %lu: %s", (unsigned long)XML_GetCurrentLineNumber(parser),
             (unsigned long)XML_GetCurrentColumnNumber(parser) + 1,
             XML_ErrorString(XML_GetErrorCode(parser)));
}

bool xml_looks_like_utf16(struct span document) {
    const unsigned char *p = (const unsigned char *)document.data;
    return document.size >= 2 &&
           (p[0] == 0 || p[1] == 0 || (p[0] == 0xfe && p[1] == 0xff) || (p[0] == 0xff && p[1] == 0xfe));
}

bool xml_encoding_is_utf8(const char *encoding) {
    return encoding == NULL || span_is_nocase(span_of(encoding), "UTF-8");
}

int xml_quote_size(struct span text) {
    struct span rest = text;
    size_t size = 0;
    while (rest.size > 0) {
        utf8_next(&rest);
        if ((size_t)(rest.data - text.data) > QUOTE_BYTES_MAX)
            break;
        size = (size_t)(rest.data - text.data);
    }
    return (int)size;
}
