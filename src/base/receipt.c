#include "base/receipt.h"

#include <stddef.h>

static receipt_look *receipt_looker;
static const void *receipt_context;

void receipt_begin(receipt_look *look, const void *context) {
    receipt_looker = look;
    receipt_context = context;
}

void receipt_end(void) {
    receipt_looker = NULL;
}

uint32_t receipt_waited_ms(void) {
    return receipt_looker == NULL ? 0 : receipt_looker(receipt_context);
}
