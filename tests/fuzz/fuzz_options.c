/* Configuration files: any file is either read or refused with a reason, and what is read keeps its limits.
 */
#include "fuzz.h"

#include "cli/command.h"
#include "cli/options.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CONFIG_BYTES_TRIED = 512 };

/* Texts of a configuration file live as long as the program. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:config_line\n";
}

static const char *const words[] = {"top", "bottom", NULL};

/* The reasons are for people, and there would be thousands of them. */
static FILE *quiet;

static void parse(const char *path) {
    const char *config = NULL, *text = "", *two = NULL;
    int64_t number = 2;
    uint32_t timeout_ms = 500;
    int word = 0;
    bool flag = false;
    const struct option_row rows[] = {
        {.name = "config", .value = "FILE", .help = "", .kind = OPTION_TEXT, .target = &config},
        {.name = "text", .value = "TEXT", .help = "", .kind = OPTION_TEXT, .target = &text},
        {.name = "number",
         .value = "N",
         .help = "",
         .kind = OPTION_INT,
         .target = &number,
         .min = 1,
         .max = 9},
        {.name = "timeout",
         .value = "S",
         .help = "",
         .kind = OPTION_SECONDS,
         .target = &timeout_ms,
         .min = 1,
         .max = 1000},
        {.name = "word", .value = "WORD", .help = "", .kind = OPTION_WORD, .target = &word, .words = words},
        {.name = "flag", .help = "", .kind = OPTION_FLAG, .target = &flag},
        {.name = "two",
         .value = "TYPE N",
         .help = "",
         .kind = OPTION_TEXT,
         .target = &two,
         .takes_two = true},
        {0},
    };
    const struct options options = {.command = "fuzz", .operands = "", .about = "", .rows = rows};
    char name[] = "fuzz", option[] = "--config", path_copy[64];
    snprintf(path_copy, sizeof path_copy, "%s", path);
    char *argv[] = {name, option, path_copy, NULL};
    FILE *loud = stderr;
    stderr = quiet;
    struct operands operands;
    int status = options_parse(&options, 3, argv, &operands);
    stderr = loud;
    assert(status == OPTIONS_GO_ON || status == EXIT_USAGE);
    assert(number >= 1 && number <= 9 && timeout_ms >= 1 && timeout_ms <= 1000 && (word == 0 || word == 1));
    assert(text != NULL && (two == NULL || strchr(two, ' ') != NULL));
    assert(status == EXIT_USAGE || (operands.count == 0 && strcmp(config, path) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("config", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        quiet = fopen("/dev/null", "w");
        assert(file >= 0 && quiet != NULL);
    }
    size = size < CONFIG_BYTES_TRIED ? size : CONFIG_BYTES_TRIED;
    bool is_written = ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size;
    assert(is_written);
    parse(path);
    return 0;
}
