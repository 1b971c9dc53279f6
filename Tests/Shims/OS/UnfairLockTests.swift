import Dispatch
import Testing
import os

struct UnfairLockTests {
  @Test func threadsTakeTurns() {
    let count = OSAllocatedUnfairLock(initialState: 0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10_000 { count.withLock { $0 += 1 } }
    }
    #expect(count.withLock { $0 } == 80_000)
  }

  @Test func copiesAreOneLock() {
    let lock = OSAllocatedUnfairLock<Int>(uncheckedState: 1)
    let copy = lock
    lock.withLock { _ in
      copy.precondition(.owner)
      #expect(Self.onAnotherThread { copy.withLockIfAvailable { $0 } } == nil)
    }
    copy.precondition(.notOwner)
    #expect(Self.onAnotherThread { copy.withLockIfAvailable { $0 } } == 1)
  }

  @Test func aLockWithoutState() throws {
    struct Failure: Error {}
    let lock = OSAllocatedUnfairLock()
    #expect(throws: Failure.self) { try lock.withLockUnchecked { throw Failure() } }
    lock.lock()
    #expect(Self.onAnotherThread { lock.lockIfAvailable() } == false)
    lock.unlock()
    #expect(lock.withLock { 5 } == 5)
  }

  @Test func theLockOfC() {
    let lock = os_unfair_lock_t.allocate(capacity: 1)
    defer { lock.deallocate() }
    lock.initialize(to: os_unfair_lock())
    os_unfair_lock_lock(lock)
    os_unfair_lock_assert_owner(lock)
    nonisolated(unsafe) let shared = lock
    #expect(Self.onAnotherThread { os_unfair_lock_trylock(shared) } == false)
    os_unfair_lock_unlock(lock)
    os_unfair_lock_assert_not_owner(lock)
    #expect(os_unfair_lock_trylock(lock))
    os_unfair_lock_unlock(lock)
  }

  @Test func aLockIsNotRecursive() async {
    await #expect(processExitsWith: .failure) {
      let lock = OSAllocatedUnfairLock()
      lock.withLock { lock.withLock {} }
    }
  }

  private static func onAnotherThread<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) -> Value {
    let done = DispatchSemaphore(value: 0)
    let value = OSAllocatedUnfairLock<Value?>(initialState: nil)
    DispatchQueue.global().async {
      let result = body()
      value.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    return value.withLock { $0! }
  }
}
