/* parlor protocols: what this program can speak, with the listener and the default address of each. */
#include "cli/catalogue.h"
#include "cli/command.h"
#include "cli/schema.h"
#include "server/protocols.h"

#include <stdio.h>
#include <string.h>

static const char *protocol_listener(const struct protocol *protocol) {
    return protocol->default_address == NULL ? PROTOCOLS_HTTP_NAME : protocol->name;
}

static const char *protocol_address(const struct protocol *protocol) {
    return protocol->default_address == NULL ? PROTOCOLS_HTTP_ADDRESS : protocol->default_address;
}

static void protocols_print(void) {
    for (size_t i = 0; protocols[i] != NULL; i++)
        printf("%-16s --%-16s %-16s %s\n", protocols[i]->name, protocol_listener(protocols[i]),
               protocol_address(protocols[i]), protocols[i]->about);
}

static void protocols_write(struct writer *w) {
    for (size_t i = 0; protocols[i] != NULL; i++) {
        const struct protocol *p = protocols[i];
        writer_object_begin(w, NULL);
        writer_text(w, "name", span_of(p->name));
        writer_text(w, "about", span_of(p->about));
        if (p->game == NULL)
            writer_null(w, "game");
        else
            writer_text(w, "game", span_of(p->game));
        if (p->of == NULL)
            writer_null(w, "of");
        else
            writer_text(w, "of", span_of(p->of->name));
        writer_text(w, "listener", span_of(protocol_listener(p)));
        writer_text(w, "address", span_of(protocol_address(p)));
        writer_text(w, "page", span_of(p->page));
        writer_bool(w, "has_schemas", p->messages != NULL);
        writer_object_end(w);
    }
}

static json_t *protocols_schemas(const char *name) {
    for (size_t i = 0; protocols[i] != NULL; i++)
        if (strcmp(protocols[i]->name, name) == 0 && protocols[i]->messages != NULL)
            return json_schemas(protocols[i]->messages);
    return NULL;
}

static const struct catalogue protocols_catalogue = {
    .command = "protocols",
    .about = "Lists the protocols: their name, the option of `parlor serve` that says where they are spoken, "
             "and where\n"
             "that is when it is not given.",
    .print = protocols_print,
    .write = protocols_write,
    .schemas = protocols_schemas,
};

static int protocols_run(int argc, char **argv) {
    return catalogue_run(&protocols_catalogue, argc, argv);
}

const struct command cmd_protocols = {"protocols", "list the protocols", protocols_run};
