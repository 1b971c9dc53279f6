/// A lock with the state that it guards, in memory of its own; copies are the same lock.
///
/// Source: developer.apple.com/documentation/os/osallocatedunfairlock
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  // Sendable: the state is only accessed while the lock is held.
  private let memory: LockMemory<State>

  /// Creates a lock with a state that need not be Sendable.
  public init(uncheckedState initialState: State) { memory = LockMemory(initialState) }

  /// Creates a lock with a state.
  public init(initialState: State) where State: Sendable { memory = LockMemory(initialState) }

  /// Runs a closure with the lock held. State and result need not be Sendable.
  public func withLockUnchecked<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    os_unfair_lock_lock(memory.lock)
    defer { os_unfair_lock_unlock(memory.lock) }
    return try body(&memory.state.pointee)
  }

  /// Runs a closure with the lock held.
  public func withLock<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    try withLockUnchecked(body)
  }

  /// Runs a closure with the lock held, or returns nil at once if the lock is taken. State and
  /// result need not be Sendable.
  public func withLockIfAvailableUnchecked<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result? {
    guard os_unfair_lock_trylock(memory.lock) else { return nil }
    defer { os_unfair_lock_unlock(memory.lock) }
    return try body(&memory.state.pointee)
  }

  /// Runs a closure with the lock held, or returns nil at once if the lock is taken.
  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result? {
    try withLockIfAvailableUnchecked(body)
  }

  /// Ownership of the lock by the calling thread.
  public enum Ownership: Hashable, Sendable {
    /// `owner`: the thread holds the lock; `notOwner`: it does not.
    case owner, notOwner
  }

  /// Traps unless the calling thread holds the lock, or does not hold it, as `condition` states.
  public func precondition(_ condition: Ownership) {
    switch condition {
    case .owner: os_unfair_lock_assert_owner(memory.lock)
    case .notOwner: os_unfair_lock_assert_not_owner(memory.lock)
    }
  }
}

extension OSAllocatedUnfairLock where State == Void {
  /// Creates a lock without a state.
  public init() { self.init(uncheckedState: ()) }

  /// Runs a closure with the lock held. The result need not be Sendable.
  public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withLockUnchecked { (_: inout Void) in try body() }
  }

  /// Runs a closure with the lock held.
  public func withLock<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) rethrows -> Result {
    try withLockUnchecked { (_: inout Void) in try body() }
  }

  /// Runs a closure with the lock held, or returns nil at once if the lock is taken. The result
  /// need not be Sendable.
  public func withLockIfAvailableUnchecked<Result>(
    _ body: () throws -> Result
  ) rethrows -> Result? {
    try withLockIfAvailableUnchecked { (_: inout Void) in try body() }
  }

  /// Runs a closure with the lock held, or returns nil at once if the lock is taken.
  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) rethrows -> Result? {
    try withLockIfAvailableUnchecked { (_: inout Void) in try body() }
  }

  /// Acquires the lock. The same thread must release it.
  @available(*, noasync, message: "Use withLock: a task may go on in another thread")
  public func lock() { os_unfair_lock_lock(memory.lock) }

  /// Releases the lock. Traps unless the calling thread holds it.
  @available(*, noasync, message: "Use withLock: a task may go on in another thread")
  public func unlock() { os_unfair_lock_unlock(memory.lock) }

  /// Acquires the lock if it is free; returns whether it did.
  @available(*, noasync, message: "Use withLockIfAvailable: a task may go on in another thread")
  public func lockIfAvailable() -> Bool { os_unfair_lock_trylock(memory.lock) }
}

/// The lock and its state at stable addresses.
private final class LockMemory<State> {
  let lock = os_unfair_lock_t.allocate(capacity: 1)
  let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

  init(_ initialState: State) {
    lock.initialize(to: os_unfair_lock())
    state.initialize(to: initialState)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    lock.deinitialize(count: 1)
    lock.deallocate()
  }
}
