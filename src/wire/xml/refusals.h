/* What the reader of XML adds to the sentence of an error (wire/refusal.h), whichever protocol it reads for.
 */
#ifndef WIRE_XML_REFUSALS_H
#define WIRE_XML_REFUSALS_H

#define XML_DECLARED_AS "it is declared as %.*s"
#define XML_NOT_READ_ON "line %lu, column %lu: %s"

#endif
