/* JSON schemas from tables of messages (wire/json/message.h), draft 2020-12. */
#ifndef CLI_SCHEMA_H
#define CLI_SCHEMA_H

#include "wire/json/message.h"

/* {"common":{name of a kind: its schema},"client":{type of a message: its schema}}. References lead from
 * client/TYPE.json to common.json beside its folder. Gives. */
json_t *json_schemas(const struct json_message *protocol);

#endif
