/* cmocka with the headers that it wants before itself. */
#ifndef TESTS_TESTS_H
#define TESTS_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
