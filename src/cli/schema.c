#include "cli/schema.h"

#include <assert.h>

#define SCHEMA_COMMON "../common.json" /* beside client/ */

static void schema_set(json_t *schema, const char *name, json_t *value) {
    int failed = json_object_set_new(schema, name, value);
    assert(failed == 0);
    (void)failed;
}

static void schema_append(json_t *list, json_t *item) {
    int failed = json_array_append_new(list, item);
    assert(failed == 0);
    (void)failed;
}

/* What a table says in JSON; every reader of it is a test of that. */
static json_t *schema_begin(const char *text) {
    json_t *schema = text == NULL ? json_object() : json_loads(text, 0, NULL);
    assert(json_is_object(schema));
    return schema;
}

static void schema_of_field(const char *name, const struct json_kind *, const char *file, json_t *properties,
                            json_t *common);

static json_t *schema_of_kind(const struct json_kind *kind, const char *file, json_t *common) {
    static const char *const types[] = {
        [JSON_TEXT] = "string", [JSON_NUMBER] = "integer", [JSON_FLAG] = "boolean"};
    json_t *schema = schema_begin(kind->schema);
    const char *type = kind->item != NULL ? "array" : kind->form < JSON_WORD ? types[kind->form] : NULL;
    if (type != NULL && json_object_get(schema, "anyOf") == NULL)
        schema_set(schema, "type", json_string(type));
    if (kind->item != NULL)
        schema_of_field("items", kind->item, file, schema, common);
    bool is_number = kind->form == JSON_NUMBER, is_list = kind->item != NULL;
    if (kind->max != 0 && (is_number || kind->min > 0))
        schema_set(schema,
                   is_number ? "minimum"
                   : is_list ? "minItems"
                             : "minLength",
                   json_integer(kind->min));
    if (kind->max != 0)
        schema_set(schema,
                   is_number ? "maximum"
                   : is_list ? "maxItems"
                             : "maxLength",
                   json_integer(kind->max));
    if (kind->word != NULL)
        schema_set(schema, "enum", json_array());
    for (unsigned i = 0; kind->word != NULL && kind->word(i) != NULL; i++)
        schema_append(json_object_get(schema, "enum"), json_string(kind->word(i)));
    return schema;
}

/* A kind with a name is defined once, in common; file leads there. */
static void schema_of_field(const char *name, const struct json_kind *kind, const char *file,
                            json_t *properties, json_t *common) {
    if (kind->def == NULL) {
        schema_set(properties, name, schema_of_kind(kind, file, common));
        return;
    }
    schema_set(common, kind->def, schema_of_kind(kind, "", common));
    schema_set(properties, name, json_pack("{s:s++}", "$ref", file, "#/$defs/", kind->def));
}

/* A message that is told by its word in the field `by`. */
static json_t *schema_of_message(const struct json_message *m, const char *by, json_t *common) {
    json_t *schema = schema_begin(m->schema), *properties = json_object(), *required = json_array();
    if (m->about != NULL)
        schema_set(schema, "description", json_string(m->about));
    schema_set(schema, "type", json_string("object"));
    schema_set(schema, "properties", properties);
    schema_set(schema, "required", required);
    schema_set(properties, by, json_pack("{s:s}", "const", m->word));
    schema_append(required, json_string(by));
    for (const struct json_field *f = m->fields; f != NULL && f->name != NULL; f++) {
        schema_of_field(f->name, f->kind, SCHEMA_COMMON, properties, common);
        if (f->alias != NULL)
            schema_of_field(f->alias, f->kind, SCHEMA_COMMON, properties, common);
        if ((f->flags & JSON_ASKED) != 0)
            schema_append(required, json_string(f->name));
    }
    if (m->cases != NULL)
        schema_set(schema, "oneOf", json_array());
    for (const struct json_message *c = m->cases; c != NULL && c->word != NULL; c++)
        schema_append(json_object_get(schema, "oneOf"), schema_of_message(c, m->by, common));
    return schema;
}

json_t *json_schemas(const struct json_message *protocol) {
    json_t *common = json_object(), *client = json_object();
    for (const struct json_message *m = protocol->cases; m->word != NULL; m++)
        if (m->about != NULL)
            schema_set(client, m->word, schema_of_message(m, protocol->by, common));
    return json_pack("{s:o,s:o}", "common", common, "client", client);
}
