/* The classes of the streams as data: see records.h and docs/protocols/renaissance-java.md. */
#include "wire/renaissance_java/records.h"

#define PACKAGE "it.polimi.ingsw."

static const char of_action[] = "Lit/polimi/ingsw/controller/Actions;",
                  of_error[] = "Lit/polimi/ingsw/controller/Error;",
                  of_color[] = "Lit/polimi/ingsw/model/gameboard/Color;",
                  of_marble[] = "Lit/polimi/ingsw/client/representations/MarbleColors;",
                  of_marble_rows[] = "[[Lit/polimi/ingsw/client/representations/MarbleColors;";

static const char *const resource_words[] = {"COINS", "STONES", "SERVANTS", "SHIELDS", NULL};
static const char *const color_words[] = {"PURPLE", "YELLOW", "GREEN", "BLUE", NULL};
static const char *const marble_words[] = {"WHITE", "RED", "BLUE", "YELLOW", "GREY", "PURPLE", NULL};
static const char *const action_words[] = {"PLAYLEADERCARD",
                                           "DISCARDLEADERCARD",
                                           "BUYDEVELOPMENTCARD",
                                           "USEPRODUCTION",
                                           "MARKETACTION",
                                           "ENDTURN",
                                           "MANAGE",
                                           NULL};
static const char *const error_words[] = {"STARTING_LEADER_CARD",      "STARTING_RESOURCES",
                                          "STARTING_MANAGE_RESOURCES", "INVALID_ACTION",
                                          "MANAGE_RESOURCES",          NULL};

/* clang-format off */
#define ENUM(NAME, WORDS) {PACKAGE NAME, 0, JAVA_SERIALIZABLE | JAVA_IS_ENUM, JAVA_ENUM, NULL, &java_enum, WORDS}
#define ARRAY(NAME, NUMBER) {NAME, NUMBER, JAVA_SERIALIZABLE, JAVA_ARRAY, NULL, NULL, NULL}

const struct java_class
    renaissance_java_resource = ENUM("model.Resource", resource_words),
    renaissance_java_color = ENUM("model.gameboard.Color", color_words),
    renaissance_java_marble = ENUM("client.representations.MarbleColors", marble_words),
    renaissance_java_action = ENUM("controller.Actions", action_words),
    renaissance_java_error = ENUM("controller.Error", error_words),
    renaissance_java_marbles = ARRAY("[L" PACKAGE "client.representations.MarbleColors;", 0x628a7d34817be019),
    renaissance_java_marble_rows = ARRAY("[[L" PACKAGE "client.representations.MarbleColors;", 0xd530f7ed3f25a98c);

#define INT(NAME)      {'I', NAME, NULL}
#define FLAG(NAME)     {'Z', NAME, NULL}
#define TEXT(NAME)     {'L', NAME, java_of_string}
#define LIST(NAME)     {'L', NAME, java_of_array_list}
#define MAP(NAME)      {'L', NAME, java_of_map}
#define HASH_MAP(NAME) {'L', NAME, java_of_hash_map}
#define ROWS(NAME)     {'[', NAME, java_of_string_rows}
#define ACTION(NAME)   {'L', NAME, of_action}
#define ERROR(NAME)    {'L', NAME, of_error}
#define COLOR(NAME)    {'L', NAME, of_color}
#define MARBLE(NAME)   {'L', NAME, of_marble}
#define MARBLES(NAME)  {'[', NAME, of_marble_rows}

#define RECORD(NAME, CLASS, NUMBER, ...) \
    [RENAISSANCE_JAVA_##NAME] = {CLASS, NUMBER, JAVA_SERIALIZABLE, JAVA_RECORD, \
                                 (const struct java_field[]){__VA_ARGS__ __VA_OPT__(,) {0}}, NULL, NULL},
const struct java_class renaissance_java_records[RENAISSANCE_JAVA_RECORDS] = {
    RENAISSANCE_JAVA_CLIENT_RECORDS(RECORD)
    RENAISSANCE_JAVA_SERVER_RECORDS(RECORD)
};

#define LISTED(NAME, ...) &renaissance_java_records[RENAISSANCE_JAVA_##NAME],
#define LISTED_ALWAYS &java_array_list, &java_hash_map, &java_linked_hash_map, &java_integer, &java_number, &java_boolean, &java_enum, \
    &renaissance_java_resource, &renaissance_java_color, &renaissance_java_action
const struct java_class *const renaissance_java_heard[] = {
    RENAISSANCE_JAVA_CLIENT_RECORDS(LISTED)
    LISTED_ALWAYS, NULL
};
const struct java_class *const renaissance_java_all[] = {
    RENAISSANCE_JAVA_CLIENT_RECORDS(LISTED)
    RENAISSANCE_JAVA_SERVER_RECORDS(LISTED)
    LISTED_ALWAYS, &renaissance_java_marble, &renaissance_java_error, &renaissance_java_marbles, &renaissance_java_marble_rows,
    &java_strings, &java_string_rows, NULL
};
/* clang-format on */
