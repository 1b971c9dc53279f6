import Foundation
import ListKit

// Work that takes longer: that it goes on is said, and then what it has brought.
extension PlainSession {
  func beginWork() { notice = notice ?? WorkNotice(output: output, patience: workPatience) }

  /// After what there is to say: nothing is done any more that the user waits for.
  func finishWork() {
    guard !isWorking, let ended = notice else { return }
    notice = nil
    let wasSaid = ended.end()
    if owesScreen {
      printScreen()
    } else if wasSaid {
      say("Done.")
    }
  }

  /// The screen, once what was asked for is there.
  func printScreenAfterWork() {
    if isWorking { owesScreen = true } else { printScreen() }
  }

  /// Returns when the line is carried out and saved, or a signal ends the process.
  func carryOutInTurn(_ line: String, _ signals: SignalPipe) async {
    var isDone = false
    Task {
      await EventGate.shared.run {
        carryOut(line)
      } finish: {
        await scene.finishPendingWork()
      }
      isDone = true
    }
    while !isDone {
      guard scene.pendingWork != nil else {
        await EventGate.endOfTurn()
        continue
      }
      if signals.take() != [] { return isQuitting = true }
      // Ended by nobody: the loop ends by itself.
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Nobody waits longer than this for one line.
  private static let longestWork = Duration.seconds(60)

  /// In a pipe the next line is about what the one before it has brought; whoever types sees that work
  /// goes on.
  func waitForWork(_ signals: SignalPipe) async {
    guard !TerminalDevice.isTerminal(input) else { return }
    let end = ContinuousClock.now + Self.longestWork
    while isWorking, !isQuitting, ContinuousClock.now < end {
      if signals.take() != [] { return isQuitting = true }
      // Ended by nobody: the loop ends by itself.
      try? await Task.sleep(for: .milliseconds(5))
    }
    report()
  }
}
