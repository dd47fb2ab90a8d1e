/* When the bytes that are being dealt with reached this machine. Whoever reads sockets says so around what it
 * hands on; whoever keeps clocks asks, deep below, and only there does it cost a look. Of the loop's thread
 * alone. */
#ifndef BASE_RECEIPT_H
#define BASE_RECEIPT_H

#include <stdint.h>

/* How long the bytes had waited when the time was read that everybody is told. */
typedef uint32_t receipt_look(const void *context);

/* From now on bytes are dealt with that look knows about; context is borrowed until receipt_end. */
void receipt_begin(receipt_look *look, const void *context);
void receipt_end(void);

/* Milliseconds; 0 when nothing is known, or nobody sent anything. */
uint32_t receipt_waited_ms(void);

#endif
