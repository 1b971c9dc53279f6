import Dispatch
import Foundation

/// The group of the current event: opened by its first registration, closed at its end.
extension UndoManager {
  /// Ends the current event now: what was registered since the last one becomes one step to undo.
  ///
  /// A program without a run loop (a command line tool, a server that works on private queues) has
  /// no events that could end by themselves; it calls this where a user would see one action end.
  /// `undo()` does it too. It posts `NSUndoManagerCheckpoint` first, so that changes which are kept
  /// back (a managed object context's) are part of the step. Groups that were begun explicitly and
  /// not ended keep the event open. Not part of Apple's API.
  public func endEvent() {
    guard phase == .recording else { return }
    postCheckpoint()
    closeEventGroup()
  }

  func openEventGroup() {
    let group = UndoGroup()
    eventGroup = group
    open(group)
    scheduleEndOfEventIfNeeded()
  }

  func forgetEventGroup() {
    eventGroup = nil
    scheduledEnd = nil
  }

  /// Arranges that the event's group closes when the event is over. On the main queue a block of
  /// that queue does it, whoever drains it: the main run loop, `dispatchMain()` or an asynchronous
  /// `main`. The main thread and threads in whose run loop this is called also ask the run loop,
  /// in the modes of `runLoopModes`. Elsewhere there is nothing that could say when an event ends.
  func scheduleEndOfEventIfNeeded() {
    guard eventGroup != nil, scheduledEnd == nil, openGroups.count == 1 else { return }
    let isMainThread = Thread.isMainThread
    let isMainQueue = MainQueue.isCurrent
    guard isMainThread || isMainQueue || RunLoop.current.currentMode != nil else { return }
    let end = nextScheduledEnd()
    if isMainThread || !isMainQueue {
      RunLoop.current.perform(inModes: runLoopModes, block: end.run)
    }
    if isMainQueue { DispatchQueue.main.async(execute: end.runUnlessInAnotherMode) }
  }

  private func nextScheduledEnd() -> EndOfEvent {
    eventCount += 1
    scheduledEnd = eventCount
    return EndOfEvent(manager: self, number: eventCount)
  }

  /// Called at the scheduled end. If groups are open, the next end is scheduled when they close.
  fileprivate func endEvent(number: Int) {
    guard scheduledEnd == number else { return }
    scheduledEnd = nil
    closeEventGroup()
  }

  private func closeEventGroup() {
    guard let eventGroup, openGroups.last === eventGroup else { return }
    closeInnermostGroup()
  }
}

/// A scheduled end of an event.
///
/// Unchecked because undo managers are not Sendable: this one is touched on the queue or thread
/// alone on which it was scheduled, which is the one that the undo manager belongs to.
private struct EndOfEvent: @unchecked Sendable {
  weak var manager: UndoManager?
  let number: Int

  @Sendable func run() {
    manager?.endEvent(number: number)
  }

  /// A run loop drains the main queue in all common modes; the block asked of the loop itself waits
  /// for the manager's modes.
  @Sendable func runUnlessInAnotherMode() {
    guard let manager else { return }
    if Thread.isMainThread, let mode = RunLoop.main.currentMode,
      !manager.runLoopModes.contains(mode), !manager.runLoopModes.contains(.common)
    {
      return
    }
    run()
  }
}

/// Tells the main queue from others. The thread does not: under an asynchronous `main` another
/// thread drains the queue.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
