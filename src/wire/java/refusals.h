/* What is wrong with an object stream that is not read on: for the log, since such streams have no words for
 * it. */
#ifndef WIRE_JAVA_REFUSALS_H
#define WIRE_JAVA_REFUSALS_H

#define JAVA_NO_STREAM         "the first bytes are not those of an object stream"
#define JAVA_BYTE_UNKNOWN      "byte %02x at %zu cannot stand there"
#define JAVA_CLASS_UNKNOWN     "the class '%.*s' is not in the list"
#define JAVA_CLASS_DIFFERENT   "the class '%s' is another one than that of the list"
#define JAVA_CLASS_MISPLACED   "the class '%s' cannot stand at %zu"
#define JAVA_WORD_UNKNOWN      "the class '%s' has no constant '%.*s'"
#define JAVA_REFERENCE_UNKNOWN "the reference %08x leads to nothing"
#define JAVA_FIELD_DIFFERENT   "the field '%s' of '%s' has a value of another type"
#define JAVA_TEXT_INVALID      "the text at %zu is no modified UTF-8"
#define JAVA_BEYOND_CEILING    "at %zu there are too many values, or too deep in each other"
#define JAVA_MESSAGE_TOO_LARGE "the message is too large"

#endif
