import Foundation

/// Lets in one event at a time, of all windows of the process: the event is handled, what it changed is
/// saved, and the other windows have taken that over before the next event is looked at.
///
/// Without it two events that arrive in one turn of the main queue are both judged by what was there
/// before either: each of two rows is dropped onto the other, and both new rows get the same place.
///
/// Renderers carry out what their users do through ``shared``; events wait in the order of their
/// arrival.
@MainActor
package final class EventGate {
  package static let shared = EventGate()

  /// Turns of the main queue that an event may take to its end: contexts process changes in the first, are
  /// saved in the second, merged into others in the third, and lists follow in the last.
  private static let turns = 4

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Carries out an event when those before it have settled, and answers when it has settled itself.
  ///
  /// Cancelling the task hurries nothing: an event that waits is carried out.
  ///
  /// - Parameters:
  ///   - finish: returns when what the event has left to be done is done, such as a save that waits for another
  ///     program.
  ///   - settled: called while no other event can come between.
  package func run<Answer: Sendable>(
    _ event: @MainActor () -> Answer, finish: @MainActor () async -> Void = {},
    settled: @MainActor () -> Void = {}
  ) async -> Answer {
    await enter()
    defer { leave() }
    let answer = event()
    for turn in 1...Self.turns {
      await Self.endOfTurn()
      // Saved by then, unless that has to wait.
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

  /// Hands the gate on: nobody comes in between.
  private func leave() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }

  /// Returns in the main queue's next turn.
  package static func endOfTurn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
