import Foundation
import Testing
import Undo

@Suite struct EventTests {
  @Test func runLoopModesAreTheDefaultOneAtFirst() {
    #expect(UndoManager().runLoopModes == [.default])
    #expect(UndoManager().groupsByEvent)
  }

  @Test func withoutALoopAnEventEndsWhenTold() {
    let document = Document(0)
    [1, 2].forEach(document.set)
    document.undoManager.endEvent()
    #expect(document.undoManager.groupingLevel == 0)
    [3, 4].forEach(document.set)
    document.undoManager.undo()
    #expect(document.value == 2)
    document.undoManager.undo()
    #expect(document.value == 0)
  }

  @Test func endingAnEventLeavesBegunGroupsOpen() {
    let document = Document(0)
    document.undoManager.beginUndoGrouping()
    document.set(1)
    document.undoManager.endEvent()
    #expect(document.undoManager.groupingLevel == 2)
    document.undoManager.endUndoGrouping()
    document.undoManager.endEvent()
    #expect(document.undoManager.groupingLevel == 0)
  }

  @Test func endingAnEventLeavesAnExplicitTopLevelGroupOpen() {
    let undoManager = Document.makeUngrouped().undoManager
    undoManager.beginUndoGrouping()
    undoManager.endEvent()
    #expect(undoManager.groupingLevel == 1)
  }

  @MainActor @Test func onTheMainQueueAnEventEndsByItself() async {
    let document = Document(0)
    document.set(1)
    #expect(document.undoManager.groupingLevel == 1)
    await nextTurnOfMainQueue()
    #expect(document.undoManager.groupingLevel == 0)
    document.set(2)
    document.set(3)
    await nextTurnOfMainQueue()
    document.undoManager.undo()
    #expect(document.value == 1)
    document.undoManager.undo()
    #expect(document.value == 0)
  }

  @MainActor @Test func aGroupBegunInOneEventMayEndInALaterOne() async {
    let document = Document(0)
    document.undoManager.beginUndoGrouping()
    document.set(1)
    await nextTurnOfMainQueue()
    #expect(document.undoManager.groupingLevel == 2)
    document.set(2)
    document.undoManager.endUndoGrouping()
    #expect(document.undoManager.groupingLevel == 1)
    await nextTurnOfMainQueue()
    #expect(document.undoManager.groupingLevel == 0)
    document.undoManager.undo()
    #expect(document.value == 0)
  }

  @MainActor @Test func theEndOfAnEarlierEventDoesNotCloseALaterOne() async {
    let document = Document(0)
    document.set(1)
    document.undoManager.undo()
    var levels: [Int] = []
    await withCheckedContinuation { continuation in
      let box = UncheckedBox(document)
      DispatchQueue.main.async {
        box.value.set(2)
        levels.append(box.value.undoManager.groupingLevel)
        continuation.resume()
      }
    }
    #expect(levels == [1])
  }

  @Test func inAThreadsRunLoopAnEventEndsInTheManagersModes() async {
    let levels = await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: Self.levelsInRunLoop()) }.start()
    }
    #expect(levels == ["registered 1", "next turn 0"])
  }

  /// The levels of a manager in two turns of this thread's run loop, without any waiting: blocks
  /// are performed in the order in which they were asked for.
  private static func levelsInRunLoop() -> [String] {
    let levels = UncheckedBox([String]())
    let document = UncheckedBox(Document(0))
    let loop = RunLoop.current
    let isDone = UncheckedBox(false)
    loop.perform(inModes: [.default]) {
      document.value.set(1)
      levels.value.append("registered \(document.value.undoManager.groupingLevel)")
      RunLoop.current.perform(inModes: [.default]) {
        levels.value.append("next turn \(document.value.undoManager.groupingLevel)")
        isDone.value = true
      }
    }
    // A loop runs only if it has something to wait for.
    loop.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
    while !isDone.value { _ = loop.run(mode: .default, before: Date()) }
    return levels.value
  }
}

/// Returns in a block of the main queue that comes after those that were asked for before.
@MainActor private func nextTurnOfMainQueue() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

/// Unchecked because each is used on one queue or thread alone.
private final class UncheckedBox<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
