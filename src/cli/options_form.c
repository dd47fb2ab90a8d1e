/* Help for machines: what --help says, as a manual page (man), as a configuration file with every option in a
 * comment (conf), and as lines for shells that complete words (words):
 *
 *     NAME \t VALUE or "" \t WORD,WORD or "" \t HELP
 */
#include "cli/options.h"

#include <stdio.h>

enum { FORM_DEFAULT_BYTES = 256, FORM_LINE_CHARS = 76 };

/* The manual. */

/* Text of roff: a hyphen is a minus, and no line begins with a request. */
static void man_text(const char *text) {
    if (*text == '.' || *text == '\'')
        printf("\\&");
    for (; *text != '\0'; text++) {
        if (*text == '-' || *text == '\\')
            putchar('\\');
        if (*text == '\\')
            putchar('e');
        else
            putchar(*text);
        if (*text == '\n' && (text[1] == '.' || text[1] == '\''))
            printf("\\&");
    }
}

static bool man_row(void *context, const struct option_place *place) {
    const struct option_row *row = place->row;
    char text[FORM_DEFAULT_BYTES];
    (void)context;
    if (row->kind == OPTION_GONE)
        return true;
    printf(".TP\n\\fB\\-\\-");
    man_text(row->name);
    printf("\\fR");
    if (row->value != NULL) {
        printf(" \\fI");
        man_text(row->value);
        printf("\\fR");
    }
    putchar('\n');
    man_text(row->help);
    if (options_default(place, text, sizeof text)) {
        printf(" (default ");
        man_text(text);
        putchar(')');
    }
    putchar('\n');
    return true;
}

static void man_print(const struct options *o) {
    printf(".TH PARLOR-");
    for (const char *letter = o->command; *letter != '\0'; letter++)
        putchar(*letter >= 'a' && *letter <= 'z' ? *letter - 'a' + 'A' : *letter == ' ' ? '-' : *letter);
    printf(" 1 \"\" parlor \"User commands\"\n.SH NAME\nparlor\\-");
    for (const char *letter = o->command; *letter != '\0'; letter++)
        printf("%s%c", *letter == ' ' || *letter == '-' ? "\\" : "", *letter == ' ' ? '-' : *letter);
    printf(" \\- a command of the game server\n.SH SYNOPSIS\n\\fBparlor ");
    man_text(o->command);
    printf("\\fR [\\fIoptions\\fR] \\fI");
    man_text(o->operands);
    printf("\\fR\n.SH DESCRIPTION\n");
    man_text(o->about);
    printf("\n.SH OPTIONS\n");
    options_each(o, man_row, NULL);
    printf(".TP\n\\fB\\-\\-help\\fR\nshow the same in short\n.SH SEE ALSO\n\\fBparlor\\fR(1)\n");
}

/* The configuration file. */

static void conf_comment(const char *text) {
    int column = printf("#");
    while (*text != '\0') {
        size_t size = strcspn(text, " \n");
        if (column + (int)size + 1 > FORM_LINE_CHARS)
            column = printf("\n#") - 1;
        column += printf(" %.*s", (int)size, text);
        text += size + (text[size] != '\0');
    }
    putchar('\n');
}

static bool conf_row(void *context, const struct option_place *place) {
    const struct option_row *row = place->row;
    char text[FORM_DEFAULT_BYTES] = "";
    (void)context;
    if (strcmp(row->name, "config") == 0 || row->kind == OPTION_GONE)
        return true;
    putchar('\n');
    conf_comment(row->help);
    if (row->kind == OPTION_FLAG || row->kind == OPTION_NO_FLAG)
        printf("#%s = no\n", row->name);
    else if (options_default(place, text, sizeof text))
        printf("#%s = %s\n", row->name, text);
    else
        printf("#%s = %s\n", row->name, row->value);
    return true;
}

static void conf_print(const struct options *o) {
    printf("# Options of parlor %s, one NAME = VALUE a line. Lines that begin with # say nothing; those\n"
           "# below show the defaults, or what a value is called. The command line wins.\n",
           o->command);
    options_each(o, conf_row, NULL);
}

/* Words for shells. */

static bool words_row(void *context, const struct option_place *place) {
    const struct option_row *row = place->row;
    (void)context;
    if (row->kind == OPTION_GONE)
        return true;
    printf("--%s\t%s\t", row->name, row->value == NULL ? "" : row->value);
    for (size_t i = 0; row->kind == OPTION_WORD && row->words[i] != NULL; i++)
        printf("%s%s", i == 0 ? "" : ",", row->words[i]);
    printf("\t%s\n", row->help);
    return true;
}

static void words_print(const struct options *o) {
    options_each(o, words_row, NULL);
    printf("--help\t\t\tshow the options\n");
}

bool options_print_form(const struct options *o, const char *form) {
    static const struct {
        const char *name;
        void (*print)(const struct options *);
    } forms[] = {{"man", man_print}, {"conf", conf_print}, {"words", words_print}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, form) == 0) {
            forms[i].print(o);
            return true;
        }
    return false;
}
