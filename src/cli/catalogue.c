#include "cli/catalogue.h"

#include "cli/options.h"

#include <stdio.h>

static void catalogue_print_json(const struct catalogue *c) {
    struct buf out = {0};
    struct writer w;
    writer_init(&w, WRITER_JSON, &out);
    writer_object_begin(&w, NULL);
    writer_list_begin(&w, c->command);
    c->write(&w);
    writer_list_end(&w);
    writer_object_end(&w);
    printf("%s\n", buf_text(&out));
    buf_free(&out);
}

static int catalogue_print_schemas(const struct catalogue *c, const char *name) {
    json_t *schemas = c->schemas(name);
    if (schemas == NULL) {
        fprintf(stderr, "parlor: there are no schemas of '%s'; see 'parlor %s'\n", name, c->command);
        return 2;
    }
    json_dumpf(schemas, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(schemas);
    return 0;
}

int catalogue_run(const struct catalogue *c, int argc, char **argv) {
    bool is_json = false;
    const char *schema = NULL;
    struct option_row rows[] = {
        ROW_FLAG("json", &is_json, "as one JSON object, for programs"),
        ROW_TEXT("schema", "NAME", &schema, "nothing but the JSON schemas of what clients say to this one"),
        {0}};
    const struct options options = {.command = c->command, .operands = "", .about = c->about, .rows = rows};
    struct operands operands;
    if (c->schemas == NULL)
        rows[1] = (struct option_row){0};
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    if (schema != NULL)
        return catalogue_print_schemas(c, schema);
    if (is_json)
        catalogue_print_json(c);
    else
        c->print();
    return 0;
}
