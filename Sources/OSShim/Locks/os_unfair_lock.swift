import Foundation
import Synchronization

/// A lock of one owner, which has to release it itself.
///
/// It is used by its address, which must not change: allocate it. Here it is a mutex of the C library. A thread that
/// locks what it holds, or unlocks what it does not hold, stops the program, as on Apple's systems.
///
/// Source: developer.apple.com/documentation/os/os_unfair_lock_lock(_:)
public struct os_unfair_lock_s {
  /// Who holds the mutex, 0 for nobody. The first, since it is reached as ``owner`` of the lock's address.
  private var owner: pthread_t = 0
  fileprivate var mutex = pthread_mutex_t()

  public init() {}
}

public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

extension os_unfair_lock_t {
  /// Read by others too, while it changes: a thread finds itself here only when it is the owner.
  fileprivate var owner: UnsafeMutablePointer<Atomic<pthread_t>> {
    // Of the same size and alignment. The lock itself can be copied, as in C, and so cannot have it as a property.
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Atomic<pthread_t>.self)
  }

  fileprivate var isOwn: Bool { owner.pointee.load(ordering: .relaxed) == pthread_self() }
}

public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
  os_unfair_lock_assert_not_owner(lock)
  pthread_mutex_lock(&lock.pointee.mutex)
  lock.owner.pointee.store(pthread_self(), ordering: .relaxed)
}

public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  guard pthread_mutex_trylock(&lock.pointee.mutex) == 0 else { return false }
  lock.owner.pointee.store(pthread_self(), ordering: .relaxed)
  return true
}

public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  os_unfair_lock_assert_owner(lock)
  lock.owner.pointee.store(0, ordering: .relaxed)
  pthread_mutex_unlock(&lock.pointee.mutex)
}

public func os_unfair_lock_assert_owner(_ lock: os_unfair_lock_t) {
  precondition(
    lock.isOwn,
    "An unfair lock that this thread does not hold. Unlock it on the thread that has locked it.")
}

public func os_unfair_lock_assert_not_owner(_ lock: os_unfair_lock_t) {
  precondition(
    !lock.isOwn,
    "An unfair lock that this thread holds. It is not recursive: lock it once.")
}
