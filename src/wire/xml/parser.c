#include "wire/xml/parser.h"

#include "base/mem.h"

#include "base/utf8.h"
#include "wire/xml/refusals.h"

#include <assert.h>
#include <stdio.h>
#include <sys/random.h>

enum { QUOTE_BYTES_MAX = 40 };

void xml_reader_init(struct xml_reader *r) {
    static const XML_Memory_Handling_Suite memory = {mem_library_take, mem_resize, mem_free};
    r->parser = XML_ParserCreate_MM("UTF-8", &memory, NULL);
    assert(r->parser != NULL);
}

void xml_reader_free(struct xml_reader *r) {
    XML_ParserFree(r->parser);
    buf_free(&r->arena);
}

void xml_reader_refuse(struct xml_reader *r, enum err e) {
    if (r->refusal == ERR_OK)
        r->refusal = e;
    XML_StopParser(r->parser, XML_FALSE);
}

struct span xml_reader_keep(struct xml_reader *r, struct span text) {
    assert(r->arena.capacity - r->arena.size >= text.size);
    struct span kept = {r->arena.data + r->arena.size, text.size};
    buf_append(&r->arena, text);
    return kept;
}

/* expat draws a random salt for every document unless it is given one. */
static unsigned long hash_salt(void) {
    static unsigned long salt;
    while (salt == 0)
        if (getrandom(&salt, sizeof salt, 0) != (ssize_t)sizeof salt)
            salt = 0;
    return salt;
}

static void XMLCALL on_declaration(void *context, const XML_Char *version, const XML_Char *encoding,
                                   int standalone) {
    (void)version;
    (void)standalone;
    struct xml_reader *r = context;
    if (encoding == NULL || span_is_nocase(span_of(encoding), "UTF-8"))
        return;
    snprintf(r->complaint, sizeof r->complaint, XML_DECLARED_AS, xml_quote_size(span_of(encoding)), encoding);
    xml_reader_refuse(r, ERR_ENCODING);
}

/* Entities can be declared only in a DOCTYPE. */
static void XMLCALL on_doctype(void *context, const XML_Char *name, const XML_Char *system_id,
                               const XML_Char *public_id, int has_internal_subset) {
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal_subset;
    xml_reader_refuse(context, ERR_DOCTYPE);
}

/* A reset forgets all settings and handlers. */
enum err xml_reader_parse(struct xml_reader *r, struct span document, XML_StartElementHandler on_start,
                          XML_EndElementHandler on_end, XML_CharacterDataHandler on_text) {
    XML_Bool is_reset = XML_ParserReset(r->parser, "UTF-8");
    assert(is_reset == XML_TRUE);
    (void)is_reset;
#ifdef HAVE_XML_REPARSE_DEFERRAL
    XML_SetReparseDeferralEnabled(r->parser, XML_FALSE);
#endif
    XML_SetHashSalt(r->parser, hash_salt());
    XML_SetUserData(r->parser, r);
    XML_SetXmlDeclHandler(r->parser, on_declaration);
    XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
    XML_SetElementHandler(r->parser, on_start, on_end);
    XML_SetCharacterDataHandler(r->parser, on_text);
    r->refusal = ERR_OK;
    r->complaint[0] = '\0';
    buf_clear(&r->arena);
    buf_reserve(&r->arena, document.size + 1);
    if (XML_Parse(r->parser, document.data, (int)document.size, XML_TRUE) == XML_STATUS_OK)
        return ERR_OK;
    if (r->refusal != ERR_OK)
        return r->refusal;
    snprintf(r->complaint, sizeof r->complaint, XML_NOT_READ_ON,
             (unsigned long)XML_GetCurrentLineNumber(r->parser),
             (unsigned long)XML_GetCurrentColumnNumber(r->parser) + 1,
             XML_ErrorString(XML_GetErrorCode(r->parser)));
    return ERR_MALFORMED;
}

bool xml_looks_like_utf16(struct span document) {
    const unsigned char *p = (const unsigned char *)document.data;
    return document.size >= 2 &&
           (p[0] == 0 || p[1] == 0 || (p[0] == 0xfe && p[1] == 0xff) || (p[0] == 0xff && p[1] == 0xfe));
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

/* Not even as a reference. */
static bool is_forbidden(int32_t c) {
    return c < 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xfffe || c == 0xffff;
}

static void write_reference(struct buf *out, int32_t c) {
    switch (c) {
    case '&': buf_append_text(out, "&amp;"); break;
    case '<': buf_append_text(out, "&lt;"); break;
    case '>': buf_append_text(out, "&gt;"); break;
    case '"': buf_append_text(out, "&quot;"); break;
    case '\'': buf_append_text(out, "&apos;"); break;
    default: buf_printf(out, "&#%d;", (int)c);
    }
}

void xml_write_text(struct buf *out, struct span text, const char *special) {
    const char *plain = text.data; /* from here on nothing had to be changed */
    while (text.size > 0) {
        const char *at = text.data;
        int32_t c = utf8_next(&text);
        bool is_bad = is_forbidden(c);
        if (!is_bad && (c > '>' || strchr(special, c) == NULL)) /* no special one comes after that */
            continue;
        buf_append(out, span_make(plain, (size_t)(at - plain)));
        if (is_bad)
            buf_append_text(out, "\xef\xbf\xbd"); /* U+FFFD */
        else
            write_reference(out, c);
        plain = text.data;
    }
    buf_append(out, span_make(plain, (size_t)(text.data - plain)));
}
