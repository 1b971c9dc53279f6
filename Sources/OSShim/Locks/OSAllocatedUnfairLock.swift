/// A lock with the state that it guards, in memory of its own; copies are the same lock.
///
/// Source: developer.apple.com/documentation/os/osallocatedunfairlock
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  // Sendable, since the state is reached with the lock held alone.
  private let memory: LockMemory<State>

  public init(uncheckedState initialState: State) { memory = LockMemory(initialState) }

  public init(initialState: State) where State: Sendable { memory = LockMemory(initialState) }

  public func withLockUnchecked<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    os_unfair_lock_lock(memory.lock)
    defer { os_unfair_lock_unlock(memory.lock) }
    return try body(&memory.state.pointee)
  }

  public func withLock<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    try withLockUnchecked(body)
  }

  /// nil, and nothing done, where the lock is held.
  public func withLockIfAvailableUnchecked<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result? {
    guard os_unfair_lock_trylock(memory.lock) else { return nil }
    defer { os_unfair_lock_unlock(memory.lock) }
    return try body(&memory.state.pointee)
  }

  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result? {
    try withLockIfAvailableUnchecked(body)
  }

  /// Who is expected to hold the lock.
  public enum Ownership: Hashable, Sendable {
    case owner, notOwner
  }

  /// Stops the program where the calling thread holds the lock, or does not.
  public func precondition(_ condition: Ownership) {
    switch condition {
    case .owner: os_unfair_lock_assert_owner(memory.lock)
    case .notOwner: os_unfair_lock_assert_not_owner(memory.lock)
    }
  }
}

extension OSAllocatedUnfairLock where State == Void {
  public init() { self.init(uncheckedState: ()) }

  public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withLockUnchecked { (_: inout Void) in try body() }
  }

  public func withLock<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) rethrows -> Result {
    try withLockUnchecked { (_: inout Void) in try body() }
  }

  public func withLockIfAvailableUnchecked<Result>(
    _ body: () throws -> Result
  ) rethrows -> Result? {
    try withLockIfAvailableUnchecked { (_: inout Void) in try body() }
  }

  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) rethrows -> Result? {
    try withLockIfAvailableUnchecked { (_: inout Void) in try body() }
  }

  @available(*, noasync, message: "Use withLock: a task may go on in another thread")
  public func lock() { os_unfair_lock_lock(memory.lock) }

  @available(*, noasync, message: "Use withLock: a task may go on in another thread")
  public func unlock() { os_unfair_lock_unlock(memory.lock) }

  @available(*, noasync, message: "Use withLockIfAvailable: a task may go on in another thread")
  public func lockIfAvailable() -> Bool { os_unfair_lock_trylock(memory.lock) }
}

/// The lock and its state at addresses that stay.
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
