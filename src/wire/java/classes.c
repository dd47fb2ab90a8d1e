/* The classes of Java itself that occur in object streams. Their numbers are part of Java. */
#include "wire/java/stream.h"

const char java_of_string[] = "Ljava/lang/String;", java_of_map[] = "Ljava/util/Map;",
           java_of_hash_map[] = "Ljava/util/HashMap;", java_of_array_list[] = "Ljava/util/ArrayList;",
           java_of_string_rows[] = "[[Ljava/lang/String;";

/* clang-format off */
static const struct java_field
    list_fields[] = {{'I', "size", NULL}, {0}},
    map_fields[] = {{'F', "loadFactor", NULL}, {'I', "threshold", NULL}, {0}},
    linked_map_fields[] = {{'Z', "accessOrder", NULL}, {0}},
    integer_fields[] = {{'I', "value", NULL}, {0}},
    boolean_fields[] = {{'Z', "value", NULL}, {0}};

const struct java_class
    java_array_list = {"java.util.ArrayList", 0x7881d21d99c7619d, JAVA_SERIALIZABLE | JAVA_WRITES_ITSELF, JAVA_LIST, list_fields, NULL, NULL},
    java_hash_map = {"java.util.HashMap", 0x0507dac1c31660d1, JAVA_SERIALIZABLE | JAVA_WRITES_ITSELF, JAVA_MAP, map_fields, NULL, NULL},
    java_linked_hash_map = {"java.util.LinkedHashMap", 0x34c04e5c106cc0fb, JAVA_SERIALIZABLE, JAVA_MAP, linked_map_fields, &java_hash_map, NULL},
    java_number = {"java.lang.Number", 0x86ac951d0b94e08b, JAVA_SERIALIZABLE, JAVA_SUPER, NULL, NULL, NULL},
    java_integer = {"java.lang.Integer", 0x12e2a0a4f7818738, JAVA_SERIALIZABLE, JAVA_INTEGER, integer_fields, &java_number, NULL},
    java_boolean = {"java.lang.Boolean", 0xcd207280d59cfaee, JAVA_SERIALIZABLE, JAVA_BOOLEAN, boolean_fields, NULL, NULL},
    java_enum = {"java.lang.Enum", 0, JAVA_SERIALIZABLE | JAVA_IS_ENUM, JAVA_SUPER, NULL, NULL, NULL},
    java_strings = {"[Ljava.lang.String;", 0xadd256e7e91d7b47, JAVA_SERIALIZABLE, JAVA_ARRAY, NULL, NULL, NULL},
    java_string_rows = {"[[Ljava.lang.String;", 0x324d09ad8432e457, JAVA_SERIALIZABLE, JAVA_ARRAY, NULL, NULL, NULL};
/* clang-format on */
