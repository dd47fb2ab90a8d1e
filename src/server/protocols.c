#include "server/protocols.h"

#include "wire/page_route.h"

#include <assert.h>

struct protocols_config protocols_config_default(void) {
    return (struct protocols_config){.http = http_port_config_default(),
                                     .api = api_config_default(),
                                     .hunt = hunt_config_default(),
                                     .ugs = ugs_port_config_default(),
                                     .santorini = santorini_port_config_default(),
                                     .eriantys = eriantys_port_config_default(),
                                     .renaissance = renaissance_port_config_default()};
}

static struct http_route api(const struct protocols_config *config) {
    struct api_config api = config->api;
    api.inspector = config->inspector;
    api.desk = config->desk;
    return api_route(&api);
}

static struct http_route treasure(const struct protocols_config *config) {
    return treasure_route(&config->hunt, config->inspector);
}

static struct http_route page(const struct protocols_config *config) {
    (void)config;
    return page_route();
}

/* What is served over HTTP, in the order in which they are asked; each gives a route. To add one is to add a
 * line. */
static struct http_route (*const http_routes[])(const struct protocols_config *) = {
    treasure,
    api,
    page,
    NULL,
};

static struct port *http_create(const struct protocols_config *config) {
    struct http_route routes[HTTP_ROUTES_MAX] = {0};
    size_t count = 0;
    for (; http_routes[count] != NULL; count++) {
        assert(count < HTTP_ROUTES_MAX);
        routes[count] = http_routes[count](config);
    }
    return http_port_create(&config->http, routes, count);
}

static struct port *ugs_create(const struct protocols_config *config) {
    struct ugs_port_config ugs = config->ugs;
    ugs.desk = config->desk;
    ugs.inspector = config->inspector;
    return ugs_port_create(&ugs);
}

static struct port *renaissance_create(const struct protocols_config *config) {
    return renaissance_port_create(&config->renaissance);
}

static struct port *santorini_create(const struct protocols_config *config) {
    return santorini_port_create(&config->santorini);
}

static struct port *eriantys_create(const struct protocols_config *config) {
    return eriantys_port_create(&config->eriantys);
}

/* clang-format off */
const struct protocol protocols[PROTOCOL_COUNT] = {
    [PROTOCOL_HTTP]        = {"http",        "HTTP: the web page, the native API, Treasure Hunt", "127.0.0.1:8080",  http_create, NULL},
    [PROTOCOL_UGS]         = {"ugs",         "Universal Game System: Paper Soccer, game masters", "127.0.0.1:8888", ugs_create, ugs_master_restored},
    [PROTOCOL_SANTORINI]   = {"santorini",   "Santorini, JSON over TCP",                        "127.0.0.1:2033",  santorini_create, NULL},
    [PROTOCOL_ERIANTYS]    = {"eriantys",    "Eriantys, JSON over TCP",                         "127.0.0.1:36803", eriantys_create, NULL},
    [PROTOCOL_RENAISSANCE] = {"renaissance", "Masters of Renaissance, JSON over TCP",           "127.0.0.1:4000",  renaissance_create, NULL},
};
/* clang-format on */
