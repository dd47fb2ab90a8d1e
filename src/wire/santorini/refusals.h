/* What Santorini's protocol refuses in words of its own (wire/refusal.h). */
#ifndef WIRE_SANTORINI_REFUSALS_H
#define WIRE_SANTORINI_REFUSALS_H

#include "games/santorini/refusals.h"
#include "wire/refusal.h"

/* clang-format off */
/* messages */
REFUSAL(santorini_type_missing,     ERR_UNKNOWN_TYPE,  "a message has a \"type\"")
REFUSAL(santorini_date_invalid,     ERR_BIRTH_DATE,    "a date is a real day written yyyy.MM.dd")
REFUSAL(santorini_gods_too_many,    ERR_FIELD_INVALID, "these are more gods than players")
REFUSAL(santorini_gods_other,       ERR_FIELD_INVALID, "name as many gods as there are players")
REFUSAL(santorini_cell_missing,     ERR_FIELD_MISSING, "a cell is an object with the numbers \"i\" and \"j\"")
/* players */
REFUSAL(santorini_number_unasked,   ERR_PHASE_OTHER,   "the number of players is not asked for")
REFUSAL(santorini_number_first,     ERR_FIELD_INVALID, "the number of players has to be chosen first")
REFUSAL(santorini_name_known,       ERR_PHASE_OTHER,   "you have a name already")
REFUSAL(santorini_name_control,     ERR_FIELD_INVALID, "a name has no control characters")
REFUSAL(santorini_name_length,      ERR_FIELD_INVALID, "a name has from 1 to 32 characters")
REFUSAL(santorini_name_taken,       ERR_FIELD_INVALID, "somebody at the table has this name already")
REFUSAL(santorini_date_to_come,     ERR_FIELD_INVALID, "this day is yet to come")
REFUSAL(santorini_not_seated,       ERR_PHASE_OTHER,   "you do not play yet")
REFUSAL(santorini_seat_lost,        ERR_TABLE_FULL,    "somebody else has taken the last seat")
REFUSAL(santorini_too_many,         ERR_TOO_MANY,      "too many players are connected, come back later")
/* turns */
REFUSAL(santorini_step_not_offered, ERR_STEP_POWER,    "this step is not offered")
REFUSAL(santorini_step_other,       ERR_PHASE_OTHER,   "another step was chosen")

/* a field that is none: its name */
#define SANTORINI_NO_TEXT      "the field \"%s\" is missing or no text"
#define SANTORINI_NO_NUMBER    "the field \"%s\" is missing or no number"
#define SANTORINI_NO_NAMES     "the field \"%s\" is missing or no list of names"
#define SANTORINI_NO_WORDS     "the field \"%s\" is a list of words"
#define SANTORINI_NO_CELLS     "the field \"%s\" is a list of two cells"
#define SANTORINI_NO_FLAG      "the field \"%s\" is true or false"
#define SANTORINI_STEP_UNKNOWN "there is no such step"
#define SANTORINI_GOD_UNKNOWN   "there is no god '%.*s'"
#define SANTORINI_TYPE_UNKNOWN  "the type '%.*s' is not known"
/* clang-format on */

#endif
