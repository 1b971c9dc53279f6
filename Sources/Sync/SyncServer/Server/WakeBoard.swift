import Foundation
import Synchronization

/// The heads of zones, and who waits for them to move.
final class WakeBoard: Sendable {
  private struct Listener {
    let key: String
    let zones: Set<String>
    let wake: AsyncStream<Void>.Continuation
  }

  private struct State {
    var heads: [String: Int64] = [:]
    var listeners: [Int: Listener] = [:]
    var last = 0
  }

  private let state = Mutex(State())

  /// Wakes that come while somebody is awake are one.
  func listen(to zones: Set<String>, by key: String) -> (number: Int, wakes: AsyncStream<Void>) {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.last += 1
      state.listeners[state.last] = Listener(key: key, zones: zones, wake: wake)
      return state.last
    }
    return (number, wakes)
  }

  func stopListening(_ number: Int) {
    state.withLock { $0.listeners.removeValue(forKey: number) }?.wake.finish()
  }

  /// Wakes a listener that is to show that it is alive.
  func beat(_ number: Int) { state.withLock { $0.listeners[number] }?.wake.yield() }

  func note(_ heads: [String: Int64]) {
    let woken = state.withLock { state in
      let moved = Set(heads.filter { state.heads[$0.key] != $0.value }.keys)
      state.heads.merge(heads) { $1 }
      return moved.isEmpty
        ? [] : state.listeners.values.filter { !$0.zones.isDisjoint(with: moved) }
    }
    for listener in woken { listener.wake.yield() }
  }

  func heads(of zones: Set<String>) -> [String: Int64] {
    state.withLock { state in state.heads.filter { zones.contains($0.key) } }
  }

  /// The zones that somebody listens to.
  var zones: Set<String> {
    state.withLock { $0.listeners.values.reduce(into: []) { $0.formUnion($1.zones) } }
  }

  /// The keys of those who listen.
  var keys: Set<String> {
    state.withLock { $0.listeners.values.reduce(into: []) { $0.insert($1.key) } }
  }

  /// Ends the streams of a key to zones that it may not see.
  func end(_ key: String, unless maySee: (String) -> Bool) {
    let ended = state.withLock { state in
      state.listeners.values.filter { $0.key == key && !$0.zones.allSatisfy(maySee) }
    }
    for listener in ended { listener.wake.finish() }
  }

  var count: Int { state.withLock { $0.listeners.count } }

  func endAll() {
    for listener in state.withLock({ $0.listeners }).values { listener.wake.finish() }
  }
}
