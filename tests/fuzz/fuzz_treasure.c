/* Whatever comes as a body is read or refused; what is read keeps its bounds, and a name that was read can be
 * shown to a client, which reads it again. The client's side takes anything, too. */
#include "fuzz.h"

#include "base/utf8.h"
#include "wire/treasure/answer.h"
#include "wire/treasure/dialect.h"

static void check_text(struct span text) {
    assert(utf8_is_valid(text) && text.size > 0 && utf8_length(text) <= HUNT_NAME_CHARS_MAX);
}

/* A state with this player in it is one that a client can read. */
static void show(const struct hunt_name *name) {
    static const enum hunt_kind viewers[] = {HUNT_SEED, HUNT_COURSE};
    struct hunt_view view = {.face_count = 1, .faces[0] = {.name = *name, .standing = TREASURE_MUST_ACT}};
    struct treasure_answer answer;
    struct buf out = {0};
    memcpy(view.faces[0].id, "me", 3);
    memcpy(view.state_id, "it", 3);
    for (size_t i = 0; i < 2; i++) {
        buf_clear(&out);
        treasure_write_state(&out, &view, viewers[i]);
        enum err e = treasure_answer_read(buf_span(&out), SPAN("me"), &answer);
        assert(e == ERR_OK && answer.is_okay && answer.has_state && answer.standing == TREASURE_MUST_ACT);
        assert(strcmp(answer.state_id, "it") == 0);
    }
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct treasure_reader *reader; /* one for all inputs: nothing may leak from one to the next */
    struct span document = span_make(data, size), player;
    struct hunt_name name;
    enum treasure_direction direction;
    const struct hunt_node *nodes;
    size_t count;
    static struct treasure_answer answer;
    if (reader == NULL)
        reader = treasure_reader_create();
    if (treasure_read_registration(reader, document, &name) == ERR_OK) {
        if (name.kind == HUNT_SEED)
            check_text(name.username);
        if (name.kind == HUNT_COURSE) {
            check_text(name.first_name);
            check_text(name.last_name);
            check_text(name.account);
        }
        show(&name);
    }
    if (treasure_read_move(reader, document, &player, &direction) == ERR_OK)
        assert(direction < TREASURE_DIRECTIONS && player.size > 0);
    if (treasure_read_half(reader, document, &player, &nodes, &count) == ERR_OK)
        assert(count <= HUNT_NODES_MAX && player.size > 0);
    if (treasure_answer_read(document, SPAN("me"), &answer) == ERR_OK)
        assert(answer.field_count <= TREASURE_FIELDS);
    return 0;
}
