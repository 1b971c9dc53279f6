import Foundation
import Synchronization

/// A non-recursive lock, which the thread that acquired it must release.
///
/// The lock is identified by its address, so allocate it and do not move it. Implemented with a
/// mutex of the C library. As on Apple's systems, the program traps if a thread acquires a lock
/// that it holds, or releases one that it does not hold.
///
/// Source: developer.apple.com/documentation/os/os_unfair_lock_lock(_:)
public struct os_unfair_lock_s {
  /// The thread that holds the mutex, or 0. Must be the first property: ``owner`` of the lock's
  /// pointer accesses it through the lock's address.
  private var owner: pthread_t = 0
  fileprivate var mutex = pthread_mutex_t()

  /// Creates an unlocked lock.
  public init() {}
}

/// The lock under its usual name.
public typealias os_unfair_lock = os_unfair_lock_s
/// The address of a lock.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

extension os_unfair_lock_t {
  /// The owner, atomically. Other threads may read it while it changes; a thread reads its own
  /// value only if it is the owner.
  fileprivate var owner: UnsafeMutablePointer<Atomic<pthread_t>> {
    // Sound: both types have equal size and alignment. The lock must be copyable, as in C, so it
    // cannot contain the atomic itself.
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Atomic<pthread_t>.self)
  }

  fileprivate var isOwn: Bool { owner.pointee.load(ordering: .relaxed) == pthread_self() }
}

/// Acquires a lock, waiting if necessary. Traps if the calling thread holds it.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
  os_unfair_lock_assert_not_owner(lock)
  pthread_mutex_lock(&lock.pointee.mutex)
  lock.owner.pointee.store(pthread_self(), ordering: .relaxed)
}

/// Acquires a lock if it is free; returns whether it did.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  guard pthread_mutex_trylock(&lock.pointee.mutex) == 0 else { return false }
  lock.owner.pointee.store(pthread_self(), ordering: .relaxed)
  return true
}

/// Releases a lock. Traps unless the calling thread holds it.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  os_unfair_lock_assert_owner(lock)
  lock.owner.pointee.store(0, ordering: .relaxed)
  pthread_mutex_unlock(&lock.pointee.mutex)
}

/// Traps unless the calling thread holds the lock.
public func os_unfair_lock_assert_owner(_ lock: os_unfair_lock_t) {
  precondition(
    lock.isOwn,
    "An unfair lock that this thread does not hold. Unlock it on the thread that has locked it.")
}

/// Traps if the calling thread holds the lock.
public func os_unfair_lock_assert_not_owner(_ lock: os_unfair_lock_t) {
  precondition(
    !lock.isOwn,
    "An unfair lock that this thread holds. It is not recursive: lock it once.")
}
