#ifndef CRUNTIME_H
#define CRUNTIME_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/// Retains `object` unless its deinitialisation has begun; returns `object` or NULL.
///
/// Part of the Swift runtime's exported ABI. It lets a table of unretained references hand out a
/// strong one under a lock that the object's `deinit` takes too, which costs neither the side table
/// nor the slower reference counting of a Swift `weak` reference.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Makes `object` live as long as the process: from then on nobody counts references to it.
///
/// Also exported for the standard library alone. Retaining and releasing the object are a comparison each then, and
/// no write.
void _swift_stdlib_immortalize(void *_Nonnull object);

/// Memory for an object of a class, retained once, with nothing but its header initialised.
///
/// What compiled code calls to make any object.
void *_Nonnull swift_allocObject(const void *_Nonnull metadata, size_t size, size_t alignmentMask);

/// Reads a list of arguments, one word for each letter of `kinds`: `i` an int, `l` a long long, `d` a double,
/// `p` a pointer.
void readVariableArguments(
    const char *_Nonnull kinds, va_list arguments, uint64_t *_Nonnull words);

#endif
