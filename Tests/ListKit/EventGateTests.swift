import Foundation
import Testing

@testable import ListKit

/// One event at a time: the next one finds all done that the one before has brought about.
@MainActor
@Suite struct EventGateTests {
  /// What events have left behind.
  @MainActor private final class Notes {
    var counts: [Int] = []
    var texts: [String] = []
    var settled = 0
  }

  /// Something that an event leaves for a later turn of the main queue.
  private func later(_ turns: Int, _ act: @escaping @MainActor () -> Void) {
    DispatchQueue.main.async {
      MainActor.assumeIsolated { if turns == 1 { act() } else { later(turns - 1, act) } }
    }
  }

  @Test func anEventFindsWhatThoseBeforeItHaveLeftForLaterTurns() async {
    let (gate, notes) = (EventGate(), Notes())
    let tasks = (0..<50).map { _ in
      Task { @MainActor in
        await gate.run {
          notes.counts.append(notes.settled)
          // As a save at the end of the turn, a merge after it, and a list that follows.
          later(3) { notes.settled += 1 }
        }
      }
    }
    for task in tasks { await task.value }
    #expect(notes.counts == Array(0..<50))
  }

  @Test func eventsComeInTheOrderOfTheirArrivalWithNothingBetween() async {
    let (gate, notes) = (EventGate(), Notes())
    let tasks = (0..<20).map { number in
      Task { @MainActor in
        await gate.run {
          notes.texts.append("\(number) begins")
        } settled: {
          notes.texts.append("\(number) ends")
        }
      }
    }
    for task in tasks { await task.value }
    #expect(notes.texts == (0..<20).flatMap { ["\($0) begins", "\($0) ends"] })
  }

  @Test func anEventThatIsCancelledWhileItWaitsIsCarriedOut() async {
    let (gate, notes) = (EventGate(), Notes())
    let tasks = (0..<3).map { _ in Task { @MainActor in await gate.run { notes.settled += 1 } } }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(notes.settled == 3)
  }
}
