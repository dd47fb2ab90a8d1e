/* Runs a fuzz target without libFuzzer: on every file of its corpus, then on mutations of them that are the
 * same on every run and every machine. The input that broke a promise is left in crash-input.
 *
 *     drive_NAME CORPUS MUTATIONS [DICTIONARY]
 *
 * A dictionary has a word on each line as libFuzzer wants it: "\"word\"". */
#include "fuzz.h"

#include "base/buf.h"
#include "base/rng.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum {
    CORPUS_FILES_MAX = 256,
    FILE_BYTES_MAX = 64 * 1024,
    MUTATIONS_MAX = 6,
    DICTIONARY_WORDS_MAX = 1024,
    WORD_BYTES_MAX = 64,
};

static struct buf corpus[CORPUS_FILES_MAX];
static uint32_t corpus_count;
static char dictionary[DICTIONARY_WORDS_MAX][WORD_BYTES_MAX];
static uint32_t dictionary_count;
static struct span current;

static void on_abort(int number) {
    int file = open("crash-input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, current.data, current.size) == (ssize_t)current.size)
        close(file);
    signal(number, SIG_DFL);
    raise(number);
}

static void corpus_add(const char *directory, const char *name) {
    struct buf path = {0};
    buf_printf(&path, "%s/%s", directory, name);
    FILE *file = fopen(buf_text(&path), "rb");
    assert(file != NULL && corpus_count < CORPUS_FILES_MAX);
    struct buf *content = &corpus[corpus_count++];
    buf_reserve(content, FILE_BYTES_MAX);
    content->size = fread(content->data, 1, FILE_BYTES_MAX, file);
    fclose(file);
    buf_free(&path);
}

static void corpus_read(const char *directory) {
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.')
            corpus_add(directory, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void dictionary_read(const char *path) {
    FILE *file = fopen(path, "r");
    assert(file != NULL);
    char word[WORD_BYTES_MAX - sizeof "\"\"" + 1];
    while (fscanf(file, " \"\\\"%61[^\\]\\\"\"", word) == 1) {
        assert(dictionary_count < DICTIONARY_WORDS_MAX);
        snprintf(dictionary[dictionary_count++], WORD_BYTES_MAX, "\"%s\"", word);
    }
    assert(feof(file));
    fclose(file);
}

/* From memory of exactly the right size, so that the sanitizer sees a read beyond its end. */
static void run(struct span input) {
    uint8_t *copy = malloc(input.size + 1);
    assert(copy != NULL);
    if (input.size > 0)
        memcpy(copy + 1, input.data, input.size);
    current = span_make(copy + 1, input.size);
    LLVMFuzzerTestOneInput(copy + 1, input.size);
    free(copy);
}

static struct span random_piece(struct rng *rng, struct span text) {
    size_t from = rng_below(rng, (uint32_t)text.size + 1);
    return span_make(text.data + from, rng_below(rng, (uint32_t)(text.size - from) + 1));
}

static void mutate(struct rng *rng, struct buf *input) {
    static const char telling[] = "<>/='\"&;![]-? \n\t\r0129+axyN#\x7f\xff\xef";
    struct buf out = {0};
    struct span text = buf_span(input);
    size_t at = rng_below(rng, (uint32_t)text.size + 1);
    struct span tail = span_make(text.data + at, text.size - at);
    buf_append(&out, span_make(text.data, at));
    switch (rng_below(rng, dictionary_count > 0 ? 6 : 5)) {
    case 0: /* other byte */
        buf_append_byte(&out, telling[rng_below(rng, sizeof telling)]);
        tail = tail.size == 0 ? tail : span_make(tail.data + 1, tail.size - 1);
        break;
    case 1: buf_append_byte(&out, telling[rng_below(rng, sizeof telling)]); break;
    case 2: { /* piece taken out */
        size_t less = rng_below(rng, (uint32_t)(tail.size < 16 ? tail.size : 16) + 1);
        tail = span_make(tail.data + less, tail.size - less);
        break;
    }
    case 3: buf_append(&out, random_piece(rng, text)); break;
    case 5: { /* a word in the place of one, if there is one */
        const char *begin = tail.size == 0 ? NULL : memchr(tail.data, '"', tail.size);
        const char *rest = tail.data + tail.size;
        const char *end = begin == NULL ? NULL : memchr(begin + 1, '"', (size_t)(rest - begin) - 1);
        if (end != NULL) {
            buf_append(&out, span_make(tail.data, (size_t)(begin - tail.data)));
            tail = span_make(end + 1, (size_t)(rest - end) - 1);
        }
        buf_append_text(&out, dictionary[rng_below(rng, dictionary_count)]);
        break;
    }
    default: buf_append(&out, random_piece(rng, buf_span(&corpus[rng_below(rng, corpus_count)]))); break;
    }
    buf_append(&out, tail);
    if (out.size > FILE_BYTES_MAX)
        out.size = FILE_BYTES_MAX;
    buf_free(input);
    *input = out;
}

int main(int argc, char **argv) {
    assert(argc == 3 || argc == 4);
    uint32_t runs = (uint32_t)strtoul(argv[2], NULL, 10);
    corpus_read(argv[1]);
    if (argc == 4)
        dictionary_read(argv[3]);
    signal(SIGABRT, on_abort);
    printf("1..2\n");
    run(span_make("", 0));
    for (uint32_t i = 0; i < corpus_count; i++)
        run(buf_span(&corpus[i]));
    printf("%s 1 - %u files of the corpus\n", corpus_count > 0 ? "ok" : "not ok", corpus_count);
    for (uint32_t i = 0; corpus_count > 0 && i < runs; i++) {
        struct rng rng;
        rng_seed(&rng, i);
        struct buf input = {0};
        buf_append(&input, buf_span(&corpus[i % corpus_count]));
        buf_reserve(&input, 1);
        for (uint32_t left = 1 + rng_below(&rng, MUTATIONS_MAX); left > 0; left--)
            mutate(&rng, &input);
        run(buf_span(&input));
        buf_free(&input);
    }
    printf("%s 2 - %u mutated inputs\n", corpus_count > 0 ? "ok" : "not ok", runs);
    for (uint32_t i = 0; i < corpus_count; i++)
        buf_free(&corpus[i]);
    return corpus_count > 0 ? 0 : 1;
}
