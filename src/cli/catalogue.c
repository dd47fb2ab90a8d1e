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

int catalogue_run(const struct catalogue *c, int argc, char **argv) {
    bool is_json = false;
    const struct option_row rows[] = {ROW_FLAG("json", &is_json, "as one JSON object, for programs"), {0}};
    const struct options options = {.command = c->command, .operands = "", .about = c->about, .rows = rows};
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    if (is_json)
        catalogue_print_json(c);
    else
        c->print();
    return 0;
}
