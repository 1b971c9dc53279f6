#ifndef CRUNTIME_H
#define CRUNTIME_H

/// Retains `object` unless its deinitialisation has begun; returns `object` or NULL.
///
/// Part of the Swift runtime's exported ABI. It lets a table of unretained references hand out a
/// strong one under a lock that the object's `deinit` takes too, which costs neither the side table
/// nor the slower reference counting of a Swift `weak` reference.
void *_Nullable swift_tryRetain(void *_Nonnull object);

#endif
