import Foundation
import ListKit

// Work that takes longer: it is announced, and then its result is printed.
extension PlainSession {
  func beginWork() { notice = notice ?? WorkNotice(output: output, patience: workPatience) }

  /// Ends the notice after the output of a line, unless work is still going on.
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

  /// Prints the screen; while work is going on, when it has ended.
  func printScreenAfterWork() {
    if isWorking { owesScreen = true } else { printScreen() }
  }

  /// Carries a line out in the event gate. Returns when it is saved, or when a signal ends the
  /// process.
  func carryOutInTurn(_ line: String, signals: SignalPipe) async {
    var isDone = false
    Task {
      await EventGate.shared.run {
        scene.following?.takeOver()
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
      // Never cancelled: the loop has its own end.
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The maximum time to wait for the work of one line.
  private static let longestWork = Duration.seconds(60)

  /// Waits for the work of a line if the input is not a terminal: in a pipe the next line refers to
  /// its result. A user at a terminal sees that work is going on.
  func waitForWork(_ signals: SignalPipe) async {
    guard !TerminalDevice.isTerminal(input) else { return }
    let end = ContinuousClock.now + Self.longestWork
    while isWorking, !isQuitting, ContinuousClock.now < end {
      if signals.take() != [] { return isQuitting = true }
      // Never cancelled: the loop has its own end.
      try? await Task.sleep(for: .milliseconds(5))
    }
    report()
  }
}
