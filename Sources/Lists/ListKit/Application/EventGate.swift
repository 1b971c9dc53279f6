import Foundation

/// Serial gate for the events of all windows of the process. It carries out one event, waits until
/// the change is saved, and lets the next event in.
///
/// Without it two events that arrive in one turn of the main queue would both see the state before
/// either: each of two rows is dropped onto the other, and two new rows get the same position. A
/// window takes over what others have saved before its event (`SceneFollowing`), or is
/// merged into in the turns that an event has.
///
/// Renderers pass user events through ``shared``. Events wait in order of arrival.
@MainActor
package final class EventGate {
  package static let shared = EventGate()

  /// Main queue turns that an event may need: contexts process changes in the first, save in the
  /// second and merge into others in the third, and lists follow in the last.
  private static let turns = 4

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Carries out an event after those before it have finished, and returns its answer when its
  /// consequences have been drawn too.
  ///
  /// Cancelling the task has no effect: a waiting event is still carried out.
  ///
  /// - Parameters:
  ///   - event: runs once, when the gate is free.
  ///   - finish: returns when the event's remaining work is done, such as a save that waits for
  ///     another program.
  ///   - settled: called before the next event is let in.
  package func run<Answer: Sendable>(
    _ event: @MainActor () -> Answer, finish: @MainActor () async -> Void = {},
    settled: @MainActor () -> Void = {}
  ) async -> Answer {
    await enter()
    defer { leave() }
    let answer = event()
    for turn in 1...Self.turns {
      await Self.endOfTurn()
      // Saved by this turn, unless the save has to wait for a lock.
      if turn == 2 { await finish() }
    }
    settled()
    return answer
  }

  private func enter() async {
    if isTaken {
      await withCheckedContinuation { waiting.append($0) }
    } else {
      isTaken = true
    }
  }

  /// Passes the gate to the next waiting event without opening it in between.
  private func leave() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }

  /// Returns in the next turn of the main queue.
  package static func endOfTurn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
