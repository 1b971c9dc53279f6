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

// Run loops of Core Foundation, which Foundation's library exports without a header.

typedef void (*CFRunLoopObserverCallBackOfC)(
    const void *_Nullable observer, unsigned long activity, void *_Nullable info);

typedef struct {
  long version;
  void *_Nullable info;
  const void *_Nullable (*_Nullable retain)(const void *_Nullable info);
  void (*_Nullable release)(const void *_Nullable info);
  const void *_Nullable (*_Nullable copyDescription)(const void *_Nullable info);
} CFRunLoopObserverContextOfC;

extern const void *_Nonnull const cfRunLoopDefaultMode __asm__("kCFRunLoopDefaultMode");
extern const void *_Nonnull const cfRunLoopCommonModes __asm__("kCFRunLoopCommonModes");
const void *_Nonnull cfRetain(const void *_Nonnull reference) __asm__("CFRetain");
void cfRelease(const void *_Nonnull reference) __asm__("CFRelease");
const void *_Nonnull cfRunLoopGetMain(void) __asm__("CFRunLoopGetMain");
const void *_Nonnull cfRunLoopGetCurrent(void) __asm__("CFRunLoopGetCurrent");
void cfRunLoopRun(void) __asm__("CFRunLoopRun");
void cfRunLoopStop(const void *_Nonnull loop) __asm__("CFRunLoopStop");
void cfRunLoopWakeUp(const void *_Nonnull loop) __asm__("CFRunLoopWakeUp");
const void *_Nullable cfRunLoopObserverCreate(
    const void *_Nullable allocator, unsigned long activities, unsigned char repeats, long order,
    CFRunLoopObserverCallBackOfC _Nonnull callout, CFRunLoopObserverContextOfC *_Nonnull context)
    __asm__("CFRunLoopObserverCreate");
void cfRunLoopAddObserver(
    const void *_Nonnull loop, const void *_Nonnull observer, const void *_Nonnull mode)
    __asm__("CFRunLoopAddObserver");
void cfRunLoopRemoveObserver(
    const void *_Nonnull loop, const void *_Nonnull observer, const void *_Nonnull mode)
    __asm__("CFRunLoopRemoveObserver");
unsigned char cfRunLoopContainsObserver(
    const void *_Nonnull loop, const void *_Nonnull observer, const void *_Nonnull mode)
    __asm__("CFRunLoopContainsObserver");
void cfRunLoopObserverInvalidate(const void *_Nonnull observer)
    __asm__("CFRunLoopObserverInvalidate");
unsigned char cfRunLoopObserverIsValid(const void *_Nonnull observer)
    __asm__("CFRunLoopObserverIsValid");

#endif
