import Testing
import Undo

/// An object that keeps its changes back until the undo manager's checkpoint, as a managed object
/// context does.
@Suite struct CheckpointTests {
  private final class Deferring {
    var value = 0
    private var kept: [Int] = []
    private var log: NotificationLog?
    let undoManager: UndoManager

    init(groupsByEvent: Bool = true) {
      undoManager = UndoManager()
      undoManager.groupsByEvent = groupsByEvent
      log = NotificationLog(undoManager) { [weak self] in if $0 == "checkpoint" { self?.flush() } }
    }

    func set(_ new: Int) {
      kept.append(value)
      value = new
    }

    private func flush() {
      for old in kept { undoManager.registerUndo(withTarget: self) { $0.set(old) } }
      kept = []
    }
  }

  private let object = Deferring()

  @Test func undoStraightAfterAChangeTakesItBack() {
    object.set(1)
    #expect(object.undoManager.groupingLevel == 0)
    object.undoManager.undo()
    #expect(object.value == 0)
    #expect(object.undoManager.canRedo)
    object.undoManager.redo()
    #expect(object.value == 1)
    object.undoManager.undo()
    #expect(object.value == 0)
  }

  @Test func aChangeBelongsToTheGroupThatIsAboutToClose() {
    let object = Deferring(groupsByEvent: false)
    for value in 1...3 {
      object.undoManager.beginUndoGrouping()
      object.set(value)
      object.undoManager.endUndoGrouping()
    }
    object.undoManager.undo()
    #expect(object.value == 2)
    object.undoManager.undo()
    #expect(object.value == 1)
  }

  @Test func aChangeBeforeANestedGroupBelongsToTheOuterOne() {
    object.set(1)
    object.undoManager.beginUndoGrouping()
    object.set(2)
    object.undoManager.endUndoGrouping()
    object.undoManager.undoNestedGroup()
    #expect(object.value == 1)
    object.undoManager.redo()
    object.undoManager.undo()
    #expect(object.value == 0)
  }

  @Test func endingAnEventCollectsWhatWasKeptBack() {
    object.set(1)
    object.undoManager.endEvent()
    object.set(2)
    object.undoManager.endEvent()
    #expect(object.undoManager.undoCount == 2)
    object.undoManager.undo()
    #expect(object.value == 1)
  }

  @Test func aKeptBackChangeForgetsWhatCouldBeRedone() {
    object.set(1)
    object.undoManager.undo()
    object.set(5)
    #expect(!object.undoManager.canRedo)
    object.undoManager.redo()
    #expect(object.value == 5)
  }
}
