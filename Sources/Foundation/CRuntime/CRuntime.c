#include "CRuntime.h"

#include <string.h>

void readVariableArguments(const char *kinds, va_list arguments, uint64_t *words) {
  va_list rest;
  va_copy(rest, arguments);
  for (; *kinds != 0; kinds++, words++) {
    switch (*kinds) {
    case 'i':
      *words = (uint64_t)(int64_t)va_arg(rest, int);
      break;
    case 'l':
      *words = (uint64_t)va_arg(rest, long long);
      break;
    case 'd': {
      double value = va_arg(rest, double);
      memcpy(words, &value, sizeof value);
      break;
    }
    default:
      *words = (uint64_t)(uintptr_t)va_arg(rest, void *);
    }
  }
  va_end(rest);
}
