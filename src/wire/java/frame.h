/* Object streams as the framing of a port of peers (wire/peers.h): messages in any split of their bytes. Its
 * messages are struct java_message. A stream that cannot be read is malformed once; nothing of it is read
 * after that. */
#ifndef WIRE_JAVA_FRAME_H
#define WIRE_JAVA_FRAME_H

#include "wire/java/stream.h"
#include "wire/peers.h"

/* Zeroed: a new stream. */
struct java_frame {
    struct java_reader reader;
    struct buf partial; /* a message whose end has not arrived; no memory while there is none */
    size_t missing;     /* bytes of it, at least */
    bool is_broken;
};

/* The take of a framing whose peers may send these classes. */
bool java_frame_take(struct java_frame *, const struct java_class *const *classes, struct peer *,
                     struct span *input, uint64_t now_ms);
void java_frame_release(struct java_frame *);

#endif
