/* The scanner behind frame.h: one state per place in the grammar where the next byte decides something.
 * It is separate from the parser because a parser that is fed a stream cannot say where a document ends
 * without reading into the next one. */
#include "wire/xml/frame.h"

enum state {
    BETWEEN, /* messages; the state of a zeroed frame */
    BOM_2,   /* the second and third byte of a byte order mark are to come */
    BOM_3,
    LOST,         /* something was refused; the error is in the argument */
    PROLOG,       /* in a message, before its root element */
    TEXT,         /* in an element */
    OPEN,         /* after < */
    BANG,         /* after <! */
    CDATA_NAME,   /* in the letters of <![CDATA[, their number is in the argument */
    DOCTYPE_NAME, /* in the letters of <!DOCTYPE, likewise */
    CDATA,
    CDATA_1, /* after ] and after ]] */
    CDATA_2,
    COMMENT_NAME, /* after <!- */
    COMMENT,
    COMMENT_1, /* after - and after -- */
    COMMENT_2,
    INSTRUCTION, /* <? ... ?>, the declaration too */
    INSTRUCTION_1,
    TAG_NAME,  /* in the name of a start tag */
    TAG,       /* behind it, outside quotes */
    TAG_SLASH, /* after its / */
    QUOTE_1,   /* in '...' */
    QUOTE_2,   /* in "..." */
    END_TAG_NAME,
    END_TAG, /* behind its name */
};

/* The state is the low byte of xml_frame.state, its argument the rest. */
enum { STATE_MASK = 0xff, ARGUMENT_SHIFT = 8 };

static const char cdata_name[] = "CDATA[";
static const char doctype_name[] = "DOCTYPE";

static bool xml_frame_is_blank(unsigned char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Only to tell markup from a stray '<' at once; the parser checks the whole name. */
static bool begins_name(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c >= 0x80;
}

/* Names are held against each other by 16 bits of a hash: what passes by chance is left to the parser. */
static void name_add(struct xml_frame *f, unsigned char c) {
    f->name = (f->name ^ c) * 0x01000193u;
}

static uint16_t name_hash(const struct xml_frame *f) {
    return (uint16_t)(f->name ^ f->name >> 16);
}

static uint32_t outside_markup(const struct xml_frame *f) {
    return f->depth == 0 ? PROLOG : TEXT;
}

/* The end of a tag that closes an element. */
static void close_element(struct xml_frame *f) {
    f->depth--;
    f->state = f->depth == 0 ? BETWEEN : TEXT;
}

static enum err step_between(struct xml_frame *f, unsigned char c) {
    bool is_first = !f->has_started;
    f->has_started = true;
    if (c == '<')
        f->state = OPEN;
    else if (is_first && c == 0xef)
        f->state = BOM_2;
    else if (c != '\0' && !xml_frame_is_blank(c))
        return ERR_NOT_XML;
    return ERR_OK;
}

static enum err step_open(struct xml_frame *f, unsigned char c) {
    if (c == '?') {
        f->state = INSTRUCTION;
    } else if (c == '!') {
        f->state = BANG;
    } else if (c == '/') {
        if (f->depth == 0)
            return ERR_MALFORMED;
        f->name = 0;
        f->state = END_TAG_NAME;
    } else {
        if (!begins_name(c))
            return ERR_MALFORMED;
        if (f->depth == XML_FRAME_DEPTH_MAX)
            return ERR_TOO_DEEP;
        f->depth++;
        f->name = 0;
        name_add(f, c);
        f->state = TAG_NAME;
    }
    return ERR_OK;
}

static enum err step_bang(struct xml_frame *f, unsigned char c) {
    if (c == '-')
        f->state = COMMENT_NAME;
    else if (c == '[' && f->depth > 0)
        f->state = CDATA_NAME;
    else if (c == doctype_name[0])
        f->state = DOCTYPE_NAME | 1 << ARGUMENT_SHIFT;
    else
        return ERR_MALFORMED;
    return ERR_OK;
}

/* The next letter of a name that has to come letter by letter; sets *is_whole at its last one. */
static enum err step_name(struct xml_frame *f, unsigned char c, const char *name, bool *is_whole) {
    uint32_t matched = f->state >> ARGUMENT_SHIFT;
    if (c != (unsigned char)name[matched])
        return ERR_MALFORMED;
    f->state += 1 << ARGUMENT_SHIFT;
    *is_whole = name[matched + 1] == '\0';
    return ERR_OK;
}

static enum err step_special(struct xml_frame *f, unsigned char c) {
    bool is_whole = false;
    enum err e = ERR_OK;
    switch (f->state & STATE_MASK) {
    case CDATA_NAME:
        e = step_name(f, c, cdata_name, &is_whole);
        if (is_whole)
            f->state = CDATA;
        return e;
    case DOCTYPE_NAME: e = step_name(f, c, doctype_name, &is_whole); return is_whole ? ERR_DOCTYPE : e;
    case CDATA: f->state = c == ']' ? CDATA_1 : CDATA; return ERR_OK;
    case CDATA_1: f->state = c == ']' ? CDATA_2 : CDATA; return ERR_OK;
    case CDATA_2: f->state = c == '>' ? TEXT : c == ']' ? CDATA_2 : CDATA; return ERR_OK;
    case COMMENT_NAME: f->state = COMMENT; return c == '-' ? ERR_OK : ERR_MALFORMED;
    case COMMENT: f->state = c == '-' ? COMMENT_1 : COMMENT; return ERR_OK;
    case COMMENT_1: f->state = c == '-' ? COMMENT_2 : COMMENT; return ERR_OK;
    case COMMENT_2: f->state = outside_markup(f); return c == '>' ? ERR_OK : ERR_MALFORMED;
    case INSTRUCTION: f->state = c == '?' ? INSTRUCTION_1 : INSTRUCTION; return ERR_OK;
    case INSTRUCTION_1:
        f->state = c == '>' ? outside_markup(f) : c == '?' ? INSTRUCTION_1 : INSTRUCTION;
        return ERR_OK;
    }
    return ERR_MALFORMED;
}

static enum err step_tag(struct xml_frame *f, unsigned char c) {
    if (c == '>')
        f->state = TEXT;
    else if (c == '/')
        f->state = TAG_SLASH;
    else if (c == '"')
        f->state = QUOTE_2;
    else if (c == '\'')
        f->state = QUOTE_1;
    return c == '<' ? ERR_MALFORMED : ERR_OK;
}

static enum err step_end_tag(struct xml_frame *f, unsigned char c) {
    if (c == '>')
        close_element(f);
    return c == '>' || xml_frame_is_blank(c) ? ERR_OK : ERR_MALFORMED;
}

/* The byte behind a name; the letters of a name are taken by run_skip. */
static enum err step_behind_name(struct xml_frame *f, unsigned char c) {
    uint16_t *open = &f->open[f->depth - 1];
    if ((f->state & STATE_MASK) == TAG_NAME) {
        *open = name_hash(f);
        f->state = TAG;
        return step_tag(f, c);
    }
    f->state = END_TAG;
    return *open == name_hash(f) ? step_end_tag(f, c) : ERR_MALFORMED;
}

/* A '<' in quotes is refused: XML forbids it, and after a forgotten quote the message would never end. */
static enum err step_quote(struct xml_frame *f, unsigned char c, char quote) {
    if (c == (unsigned char)quote)
        f->state = TAG;
    return c == '<' ? ERR_MALFORMED : ERR_OK;
}

static enum err xml_frame_step(struct xml_frame *f, unsigned char c) {
    switch (f->state & STATE_MASK) {
    case TEXT:
        if (c == '<')
            f->state = OPEN;
        return ERR_OK;
    case TAG_NAME:
    case END_TAG_NAME: return step_behind_name(f, c);
    case TAG: return step_tag(f, c);
    case QUOTE_1: return step_quote(f, c, '\'');
    case QUOTE_2: return step_quote(f, c, '"');
    case TAG_SLASH: close_element(f); return c == '>' ? ERR_OK : ERR_MALFORMED;
    case END_TAG: return step_end_tag(f, c);
    case BETWEEN: return step_between(f, c);
    case BOM_2: f->state = BOM_3; return c == 0xbb ? ERR_OK : ERR_NOT_XML;
    case BOM_3: f->state = BETWEEN; return c == 0xbf ? ERR_OK : ERR_NOT_XML;
    case PROLOG:
        if (c == '<')
            f->state = OPEN;
        return c == '<' || xml_frame_is_blank(c) ? ERR_OK : ERR_NOT_XML;
    case OPEN: return step_open(f, c);
    case BANG: return step_bang(f, c);
    default: return step_special(f, c);
    }
}

static enum err lose(struct xml_frame *f, enum err e) {
    buf_free(&f->partial);
    f->state = LOST | (uint32_t)e << ARGUMENT_SHIFT;
    return e;
}

bool xml_frame_is_partial(const struct xml_frame *f) {
    return (f->state & STATE_MASK) > LOST;
}

/* Most bytes lie in long runs that mean nothing to the scanner. These are the states that have such runs, and
 * for each byte the states whose run it ends. */
#define IN(state) (1u << (state))

static const uint32_t runs =
    IN(TEXT) | IN(TAG) | IN(QUOTE_1) | IN(QUOTE_2) | IN(INSTRUCTION) | IN(COMMENT) | IN(CDATA);
#define NAMES (IN(TAG_NAME) | IN(END_TAG_NAME))
static const uint32_t ends_run[256] = {
    ['<'] = IN(TEXT) | IN(TAG) | IN(QUOTE_1) | IN(QUOTE_2) | NAMES,
    ['>'] = IN(TAG) | NAMES,
    ['/'] = IN(TAG) | NAMES,
    ['"'] = IN(TAG) | IN(QUOTE_2) | NAMES,
    ['\''] = IN(TAG) | IN(QUOTE_1) | NAMES,
    [' '] = NAMES,
    ['\t'] = NAMES,
    ['\r'] = NAMES,
    ['\n'] = NAMES,
    ['?'] = IN(INSTRUCTION),
    ['-'] = IN(COMMENT),
    [']'] = IN(CDATA),
};

/* The first index from i on, and at most end, where step has something to do. */
static size_t run_skip(struct xml_frame *f, const char *bytes, size_t i, size_t end) {
    uint32_t here = IN(f->state & STATE_MASK);
    if ((runs & here) != 0)
        while (i < end && (ends_run[(unsigned char)bytes[i]] & here) == 0)
            i++;
    else if ((NAMES & here) != 0)
        while (i < end && (ends_run[(unsigned char)bytes[i]] & here) == 0)
            name_add(f, (unsigned char)bytes[i++]);
    return i;
}

/* The last piece of a message has come. */
static void give(struct xml_frame *f, struct span piece, struct span *message) {
    *message = piece;
    if (f->partial.size > 0) {
        buf_append(&f->partial, piece);
        *message = buf_span(&f->partial);
    }
}

enum err xml_frame_next(struct xml_frame *f, struct span *input, struct span *message) {
    *message = (struct span){0};
    if ((f->state & STATE_MASK) == LOST)
        return (enum err)(f->state >> ARGUMENT_SHIFT);
    if (!xml_frame_is_partial(f))
        buf_free(&f->partial); /* the message of the call before */
    const char *bytes = input->data;
    size_t start = 0, size = input->size;
    for (size_t i = 0; i < size; i++) {
        bool was_inside = xml_frame_is_partial(f);
        if (was_inside) {
            size_t room = XML_FRAME_BYTES_MAX - f->partial.size - (i - start);
            size_t end = size - i > room ? i + room : size;
            i = run_skip(f, bytes, i, end);
            if (i == end && end < size)
                return lose(f, ERR_TOO_LARGE);
            if (i == end)
                break;
        } else {
            start = i;
        }
        enum err e = xml_frame_step(f, (unsigned char)bytes[i]);
        if (e != ERR_OK)
            return lose(f, e);
        if (was_inside && f->state == BETWEEN) {
            *input = span_make(bytes + i + 1, size - i - 1);
            give(f, span_make(bytes + start, i + 1 - start), message);
            return ERR_OK;
        }
    }
    if (size > 0 && xml_frame_is_partial(f))
        buf_append(&f->partial, span_make(bytes + start, size - start));
    *input = (struct span){0};
    return ERR_OK;
}

void xml_frame_free(struct xml_frame *f) {
    buf_free(&f->partial);
    *f = (struct xml_frame){0};
}
