import Foundation

/// The current value for everybody who listens, and each that follows; who is slow gets the last.
///
/// Sendable: the lock guards the value and the listeners.
final class Broadcast<Value: Sendable & Equatable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value
  private var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
  private var last = 0
  private var hasEnded = false

  init(_ value: Value) { self.value = value }

  var current: Value { lock.withLock { value } }

  func change(_ change: (inout Value) -> Void) {
    let (value, listeners) = lock.withLock {
      let before = self.value
      change(&self.value)
      return (self.value, before == self.value ? [] : Array(self.listeners.values))
    }
    for listener in listeners { listener.yield(value) }
  }

  func listen() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let (number, value, hasEnded) = lock.withLock {
      last += 1
      if !self.hasEnded { listeners[last] = continuation }
      return (last, self.value, self.hasEnded)
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      lock.withLock { _ = self.listeners.removeValue(forKey: number) }
    }
    continuation.yield(value)
    if hasEnded { continuation.finish() }
    return stream
  }

  /// Who listens, now or later, gets the last value and no other.
  func end() {
    let listeners = lock.withLock {
      hasEnded = true
      return Array(self.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
