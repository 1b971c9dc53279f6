import Dispatch
import Foundation

/// The group of the current event: opened by the event's first registration, closed at its end.
extension UndoManager {
  /// Ends the current event now: the registrations since the last event become one step to undo.
  ///
  /// A program without a run loop (a command line tool, a server that works on private queues) has
  /// no events that end by themselves. It calls this method where a user would see one action end.
  /// `undo()` also ends the event. Posts `NSUndoManagerCheckpoint` first, so that changes that are
  /// held back (those of a managed object context) become part of the step. Groups that were begun
  /// explicitly and are still open keep the event open. Not part of Apple's API.
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

  /// Arranges that the event's group closes at the end of the event. On the main queue, a block of
  /// that queue closes it, no matter whether the main run loop, `dispatchMain()` or an asynchronous
  /// `main` drains the queue. On the main thread and on threads whose run loop is running, a block
  /// of the run loop closes it too, in the modes of `runLoopModes`. Elsewhere nothing marks the end
  /// of an event.
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

  /// Runs at the scheduled end. If explicit groups are open, their closing schedules the next end.
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

/// The scheduled end of an event.
///
/// Unchecked because undo managers are not Sendable. Sound: the end runs on the queue or thread
/// that scheduled it, which is the one that the undo manager belongs to.
private struct EndOfEvent: @unchecked Sendable {
  weak var manager: UndoManager?
  let number: Int

  @Sendable func run() {
    manager?.endEvent(number: number)
  }

  /// Runs as a block of the main queue, which the run loop drains in all common modes. Does nothing
  /// in a mode that the manager excludes: the block of the run loop ends the event later.
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

/// Detects the main queue. The thread does not show this: under an asynchronous `main`, another
/// thread drains the queue.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
