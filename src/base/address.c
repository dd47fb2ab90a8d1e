#include "base/address.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <uthash.h>

enum { NETWORK_BYTES = 8, MAPPED_BYTES = 12 }; /* of an address of IPv6; before one of IPv4 in it */

static const uint8_t mapped[MAPPED_BYTES] = {[10] = 0xff, [11] = 0xff};

struct address address_of_four(const uint8_t bytes[4]) {
    struct address address;
    memcpy(address.bytes, mapped, MAPPED_BYTES);
    memcpy(address.bytes + MAPPED_BYTES, bytes, 4);
    return address;
}

static const struct address loopback_six = {{[15] = 1}};

struct address address_of_six(const uint8_t bytes[16]) {
    struct address address = {{0}};
    if (memcmp(bytes, mapped, MAPPED_BYTES) == 0)
        return address_of_four(bytes + MAPPED_BYTES);
    if (memcmp(bytes, loopback_six.bytes, ADDRESS_BYTES) == 0)
        return loopback_six;
    memcpy(address.bytes, bytes, NETWORK_BYTES);
    return address;
}

bool address_parse(struct span text, struct address *out) {
    char copy[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    if (!span_copy(text, copy, sizeof copy))
        return false;
    bool is_four = inet_pton(AF_INET, copy, bytes) == 1,
         is_six = !is_four && inet_pton(AF_INET6, copy, bytes) == 1;
    if (is_four)
        *out = address_of_four(bytes);
    else if (is_six)
        *out = address_of_six(bytes);
    return is_four || is_six;
}

void address_format(const struct address *address, char out[ADDRESS_TEXT_BYTES_MAX]) {
    char text[INET6_ADDRSTRLEN];
    bool is_four = memcmp(address->bytes, mapped, MAPPED_BYTES) == 0;
    out[0] = '\0';
    if (address_is_nobody(address))
        return;
    inet_ntop(is_four ? AF_INET : AF_INET6, address->bytes + (is_four ? MAPPED_BYTES : 0), text, sizeof text);
    bool is_network = !is_four && !address_is_loopback(address);
    snprintf(out, ADDRESS_TEXT_BYTES_MAX, "%s%s", text, is_network ? "/64" : "");
}

bool addresses_parse(struct span text, struct addresses *out) {
    bool is_good = true, has_more = true;
    out->count = 0;
    while (is_good && has_more) {
        const char *comma = memchr(text.data, ',', text.size);
        size_t size = comma == NULL ? text.size : (size_t)(comma - text.data);
        has_more = comma != NULL;
        is_good = out->count < ADDRESSES_MAX &&
                  address_parse(span_trim(span_make(text.data, size)), &out->of[out->count++]);
        if (has_more)
            text = span_make(comma + 1, text.size - size - 1);
    }
    return is_good;
}

bool addresses_have(const struct addresses *list, const struct address *address) {
    for (size_t i = 0; i < list->count; i++)
        if (address_equal(&list->of[i], address))
            return true;
    return false;
}

bool address_is_loopback(const struct address *address) {
    bool is_four = memcmp(address->bytes, mapped, MAPPED_BYTES) == 0 && address->bytes[MAPPED_BYTES] == 127;
    return is_four || memcmp(address->bytes, loopback_six.bytes, ADDRESS_BYTES) == 0;
}

bool address_is_nobody(const struct address *address) {
    static const struct address nobody;
    return memcmp(address->bytes, nobody.bytes, ADDRESS_BYTES) == 0;
}

bool address_equal(const struct address *a, const struct address *b) {
    return memcmp(a->bytes, b->bytes, ADDRESS_BYTES) == 0;
}

struct tally_row {
    struct address address;
    uint32_t count;
    UT_hash_handle by_address;
};

static struct tally_row *address_row_of(const struct tally *tally, const struct address *address) {
    struct tally_row *row;
    HASH_FIND(by_address, tally->rows, address, sizeof *address, row);
    return row;
}

uint32_t tally_count(const struct tally *tally, const struct address *address) {
    const struct tally_row *row = address_row_of(tally, address);
    return row == NULL ? 0 : row->count;
}

void tally_add(struct tally *tally, const struct address *address) {
    if (address_is_nobody(address))
        return;
    struct tally_row *row = address_row_of(tally, address);
    if (row == NULL) {
        row = mem_alloc(sizeof *row);
        row->address = *address;
        HASH_ADD(by_address, tally->rows, address, sizeof row->address, row);
    }
    row->count++;
}

void tally_remove(struct tally *tally, const struct address *address) {
    if (address_is_nobody(address))
        return;
    struct tally_row *row = address_row_of(tally, address);
    assert(row != NULL);
    if (--row->count > 0)
        return;
    HASH_DELETE(by_address, tally->rows, row);
    mem_free(row);
}

void tally_free(struct tally *tally) {
    struct tally_row *row, *next;
    HASH_ITER(by_address, tally->rows, row, next) {
        HASH_DELETE(by_address, tally->rows, row);
        mem_free(row);
    }
}

enum err address_split(const char *text, char *host, size_t host_size, uint16_t *port) {
    const char *colon = strrchr(text, ':');
    int64_t number;
    if (colon == NULL || !span_to_int(span_of(colon + 1), &number) || number < 0 || number > 65535)
        return ERR_ADDRESS;
    struct span address = span_make(text, (size_t)(colon - text));
    if (address.size > 2 && address.data[0] == '[' && address.data[address.size - 1] == ']')
        address = span_make(address.data + 1, address.size - 2);
    if (address.size == 0 || !span_copy(address, host, host_size))
        return ERR_ADDRESS;
    *port = (uint16_t)number;
    return ERR_OK;
}
