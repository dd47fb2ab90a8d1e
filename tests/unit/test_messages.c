/* Tables of messages (wire/json/message.h): how fields are read by them, and that every message which the
 * schemas of a protocol describe is one that its reader takes. */
#include "tests.h"

#include "base/rng.h"
#include "cli/schema.h"
#include "games/santorini/santorini.h"
#include "server/protocols.h"

enum { EXAMPLES = 200, REQUEST_BYTES_MAX = 4096 };

static char complaint[JSON_COMPLAINT_BYTES_MAX];

/* Reading. */

struct request {
    struct span text;
    int64_t number;
    bool flag;
    unsigned word;
};

static const char *word_of(unsigned i) {
    static const char *const words[] = {"RED", "GREEN", NULL};
    return words[i];
}

static const struct json_kind text_kind = {.form = JSON_TEXT}, flag_kind = {.form = JSON_FLAG},
                              number_kind = {.form = JSON_NUMBER, .max = 3, .unknown = ERR_SEAT_COUNT},
                              word_kind = {.form = JSON_WORD,
                                           .word = word_of,
                                           .refusal = ERR_FIELD_MISSING,
                                           .wrong = "%s is a colour",
                                           .none = "no such colour"};

static const struct json_message message = {
    JSON_FIELDS(JSON_FIELD(struct request, "text", text, JSON_MUST, text, .alias = "words"),
                JSON_FIELD(struct request, "number", number, 0, number),
                JSON_FIELD(struct request, "flag", flag, JSON_UNREAD, flag),
                JSON_FIELD(struct request, "word", word, 0, word))};

static enum err read_text(const char *text, struct request *out) {
    static json_t *last; /* the request borrows from it */
    json_decref(last);
    last = json_loads(text, 0, NULL);
    assert_non_null(last);
    *out = (struct request){.number = 7, .word = 7};
    complaint[0] = '\0';
    enum err e = json_take_fields(&santorini_game, message.fields, last, out, complaint);
    assert_int_equal(e == ERR_OK, complaint[0] == '\0');
    struct request again = *out;
    assert_int_equal(json_take_fields(&santorini_game, message.fields, last, &again, NULL), e);
    return e;
}

static void expect_refused(const char *text, enum err why, const char *sentence) {
    struct request r;
    assert_int_equal(read_text(text, &r), why);
    assert_string_equal(complaint, sentence);
}

static void fields_are_read(void **unused) {
    (void)unused;
    struct request r;
    assert_int_equal(read_text("{\"text\":\"a\",\"number\":\" 2 \",\"word\":\" green\"}", &r), ERR_OK);
    assert_true(span_is(r.text, "a") && r.number == 2 && r.word == 1);
    assert_int_equal(read_text("{\"words\":\"a\",\"text\":null,\"number\":null}", &r), ERR_OK);
    assert_true(span_is(r.text, "a") && r.number == 7 && r.word == 7);
    assert_int_equal(read_text("{\"text\":\"b\",\"words\":3,\"flag\":\"neither\"}", &r), ERR_OK);
    assert_true(span_is(r.text, "b"));
}

static void refusals_have_sentences(void **unused) {
    (void)unused;
    expect_refused("{}", ERR_FIELD_MISSING, "the field 'text' is missing");
    expect_refused("{\"text\":null}", ERR_FIELD_MISSING, "the field 'text' is missing");
    expect_refused("{\"text\":3}", ERR_FIELD_INVALID, "the field 'text' has a value that it cannot have");
    expect_refused("{\"text\":\"\",\"number\":\"x\"}", ERR_FIELD_INVALID,
                   "the field 'number' has a value that it cannot have");
    expect_refused("{\"text\":\"\",\"number\":4}", ERR_SEAT_COUNT, err_sentence(ERR_SEAT_COUNT));
    expect_refused("{\"text\":\"\",\"word\":3}", ERR_FIELD_MISSING, "word is a colour");
    expect_refused("{\"text\":\"\",\"word\":\"blue\"}", ERR_FIELD_INVALID, "no such colour");
}

/* Examples of what a schema describes. */

struct maker {
    const struct game *game;
    const json_t *common;
    struct rng rng;
};

static json_t *example(struct maker *, const json_t *schema);

static int64_t between(struct maker *m, const json_t *schema, const char *min, const char *max,
                       int64_t most) {
    int64_t from = json_integer_value(json_object_get(schema, min));
    const json_t *to = json_object_get(schema, max);
    int64_t last = to == NULL || json_integer_value(to) > most ? most : json_integer_value(to);
    return from + rng_below(&m->rng, (uint32_t)(last - from) + 1);
}

static const char *example_text(const json_t *schema) {
    const char *pattern = json_string_value(json_object_get(schema, "pattern"));
    if (pattern != NULL && strstr(pattern, "L0") != NULL)
        return "L016";
    return pattern != NULL && strstr(pattern, "[.]") != NULL ? "2000.02.29" : "ann";
}

static json_t *example_list(struct maker *m, const json_t *schema) {
    json_t *list = json_array();
    bool is_set = json_is_true(json_object_get(schema, "uniqueItems"));
    for (int64_t left = between(m, schema, "minItems", "maxItems", 3); left > 0; left--) {
        json_t *item = example(m, json_object_get(schema, "items"));
        bool is_there = false;
        for (size_t i = 0; i < json_array_size(list) && is_set; i++)
            is_there = is_there || json_equal(item, json_array_get(list, i));
        if (!is_there || !json_is_integer(item))
            json_array_append(list, item);
        json_decref(item);
    }
    return list;
}

static bool has_text(const json_t *list, const char *text) {
    bool has = false;
    for (size_t i = 0; i < json_array_size(list); i++)
        has = has || strcmp(json_string_value(json_array_get(list, i)), text) == 0;
    return has;
}

/* With what one of its cases says instead. */
static json_t *example_object(struct maker *m, const json_t *schema) {
    json_t *object = json_object(), *properties = json_object_get(schema, "properties"), *field;
    const char *name;
    json_object_foreach(properties, name, field) {
        if (has_text(json_object_get(schema, "required"), name) || rng_below(&m->rng, 2) == 0)
            json_object_set_new(object, name, example(m, field));
    }
    const json_t *cases = json_object_get(schema, "oneOf");
    if (cases != NULL) {
        const json_t *one = json_array_get(cases, rng_below(&m->rng, (uint32_t)json_array_size(cases)));
        json_object_foreach(json_object_get(one, "properties"), name, field)
            json_object_set_new(object, name, example(m, field));
    }
    return object;
}

static const json_t *one_of(struct maker *m, const json_t *list) {
    return json_array_get(list, rng_below(&m->rng, (uint32_t)json_array_size(list)));
}

static json_t *example(struct maker *m, const json_t *schema) {
    const char *reference = json_string_value(json_object_get(schema, "$ref"));
    const json_t *any = json_object_get(schema, "anyOf"), *words = json_object_get(schema, "enum");
    const json_t *type = json_object_get(schema, "type");
    if (reference != NULL)
        schema = json_object_get(m->common, strrchr(reference, '/') + 1);
    if (reference != NULL) /* what is not of the program may be empty */
        return schema == NULL ? json_object() : example(m, schema);
    if (any != NULL)
        return example(m, one_of(m, any));
    if (words != NULL)
        return json_deep_copy(one_of(m, words));
    if (json_object_get(schema, "const") != NULL)
        return json_deep_copy(json_object_get(schema, "const"));
    const char *word = json_string_value(json_is_array(type) ? one_of(m, type) : type);
    if (word == NULL)
        return example(m, one_of(m, json_object_get(schema, "oneOf")));
    return strcmp(word, "string") == 0    ? json_string(example_text(schema))
           : strcmp(word, "integer") == 0 ? json_integer(between(m, schema, "minimum", "maximum", 100000))
           : strcmp(word, "boolean") == 0 ? json_boolean(rng_below(&m->rng, 2))
           : strcmp(word, "array") == 0   ? example_list(m, schema)
           : strcmp(word, "null") == 0    ? json_null()
                                          : example_object(m, schema);
}

/* What the reader needs though the schema does not ask for it: it is needed by one of two meanings. */
static void example_complete(struct maker *m, const struct json_field *f, const json_t *schema,
                             json_t *said) {
    const json_t *properties = json_object_get(schema, "properties");
    for (; f != NULL && f->name != NULL; f++)
        if ((f->flags & JSON_NEEDED) != 0 && json_object_get(said, f->name) == NULL)
            json_object_set_new(said, f->name, example(m, json_object_get(properties, f->name)));
}

static void check_message(struct maker *m, const struct json_message *of, const json_t *schema) {
    const json_t *cases = json_object_get(schema, "oneOf");
    assert_non_null(schema);
    for (size_t i = 0; of->cases != NULL && of->cases[i].word != NULL; i++)
        check_message(m, &of->cases[i], json_array_get(cases, i));
    for (unsigned i = 0; i < EXAMPLES && of->cases == NULL; i++) {
        _Alignas(max_align_t) char request[REQUEST_BYTES_MAX] = {0};
        json_t *said = example(m, schema);
        example_complete(m, of->fields, schema, said);
        complaint[0] = '\0';
        enum err e = json_take_fields(m->game, of->fields, said, request, complaint);
        if (e != ERR_OK) {
            char *text = json_dumps(said, 0);
            print_error("%s: %s\n", text, complaint);
            free(text);
        }
        assert_int_equal(e, ERR_OK);
        json_decref(said);
    }
}

static void what_schemas_describe_is_read(void **unused) {
    (void)unused;
    unsigned count = 0;
    for (size_t i = 0; protocols[i] != NULL; i++) {
        const struct json_message *of = protocols[i]->messages;
        if (of == NULL)
            continue;
        json_t *schemas = json_schemas(of);
        struct maker m = {.game = game_by_name(span_of(protocols[i]->game)),
                          .common = json_object_get(schemas, "common")};
        rng_seed(&m.rng, i);
        for (const struct json_message *c = of->cases; c->word != NULL; c++, count++)
            if (c->about != NULL)
                check_message(&m, c, json_object_get(json_object_get(schemas, "client"), c->word));
        json_decref(schemas);
    }
    assert_true(count > 0);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_read),
        cmocka_unit_test(refusals_have_sentences),
        cmocka_unit_test(what_schemas_describe_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
