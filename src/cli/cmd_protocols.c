/* parlor protocols: what this program can speak, with the listener and the default address of each. */
#include "cli/catalogue.h"
#include "cli/command.h"
#include "cli/schema.h"
#include "server/protocols.h"

#include <stdio.h>
#include <string.h>

/* Where a listener is when nothing else is said. */
static const char *protocol_address(const void *context, const char *listener) {
    (void)context;
    for (size_t i = 0; protocols[i] != NULL; i++)
        if (strcmp(protocols[i]->name, listener) == 0)
            return protocols[i]->default_address;
    return strcmp(listener, PROTOCOLS_HTTP_NAME) == 0 ? PROTOCOLS_HTTP_ADDRESS : NULL;
}

static void protocols_print(void) {
    for (size_t i = 0; protocols[i] != NULL; i++) {
        const char *listener = protocols_listener_of(protocols[i]);
        printf("%-16s --%-16s %-16s %s\n", protocols[i]->name, listener, protocol_address(NULL, listener),
               protocols[i]->about);
    }
}

static void protocols_catalogue_write(struct writer *w) {
    protocols_write(w, protocol_address, NULL);
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
    .write = protocols_catalogue_write,
    .schemas = protocols_schemas,
};

static int protocols_run(int argc, char **argv) {
    return catalogue_run(&protocols_catalogue, argc, argv);
}

const struct command cmd_protocols = {"protocols", "list the protocols", protocols_run};
