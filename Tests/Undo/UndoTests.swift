import Testing
import Undo

@Suite struct UndoTests {
  let document = Document(5)
  var undoManager: UndoManager { document.undoManager }

  @Test func undoTakesAChangeBack() {
    #expect(!undoManager.canUndo)
    document.set(6)
    #expect(undoManager.canUndo)
    undoManager.undo()
    #expect(document.value == 5)
    #expect(!undoManager.canUndo)
  }

  @Test func withoutARunLoopAllRegistrationsAreOneStep() {
    [6, 7, 8].forEach(document.set)
    undoManager.undo()
    #expect(document.value == 5)
    #expect(document.history == [6, 7, 8, 7, 6, 5])
    #expect(!undoManager.canUndo)
  }

  @Test func redoDoesItAgainAndUndoTakesItBackAgain() {
    [6, 7, 8].forEach(document.set)
    undoManager.undo()
    #expect(undoManager.canRedo)
    undoManager.redo()
    #expect(document.value == 8)
    #expect(!undoManager.canRedo)
    undoManager.undo()
    #expect(document.value == 5)
    #expect(undoManager.canRedo)
  }

  @Test func undoAndRedoOfNothingDoNothing() {
    let log = NotificationLog(undoManager)
    undoManager.undo()
    undoManager.redo()
    #expect(log.words == ["checkpoint", "checkpoint"])
    document.set(6)
    undoManager.undo()
    undoManager.undo()
    #expect(document.value == 5)
  }

  @Test func aNewRegistrationForgetsWhatCouldBeRedone() {
    document.set(6)
    undoManager.undo()
    document.set(7)
    #expect(!undoManager.canRedo)
    undoManager.redo()
    #expect(document.value == 7)
  }

  @Test func isUndoingAndIsRedoingHoldDuringTheOperationOnly() {
    var seen: [[Bool]] = []
    func register(_ target: Document) {
      let manager = target.undoManager
      seen.append([manager.isUndoing, manager.isRedoing])
      manager.registerUndo(withTarget: target) { _ in register(target) }
    }
    register(document)
    undoManager.undo()
    undoManager.redo()
    #expect(seen == [[false, false], [true, false], [false, true]])
    #expect(!undoManager.isUndoing && !undoManager.isRedoing)
  }

  @Test func anActionThatRegistersNothingCannotBeRedone() {
    undoManager.registerUndo(withTarget: document) { $0.value = 1 }
    undoManager.undo()
    #expect(document.value == 1)
    #expect(!undoManager.canRedo)
  }

  @Test func countsSayHowOftenUndoAndRedoCanBeCalled() {
    let document = Document.makeUngrouped()
    let undoManager = document.undoManager
    (1...3).forEach { document.setInGroup($0) }
    #expect(undoManager.undoCount == 3)
    undoManager.undo()
    #expect(undoManager.undoCount == 2)
    #expect(undoManager.redoCount == 1)
    document.undoManager.beginUndoGrouping()
    #expect(undoManager.undoCount == 2)
    document.set(9)
    #expect(undoManager.undoCount == 3)
  }

  @Test func whatARedoRegistersDoesNotForgetTheRestOfTheRedoStack() {
    let document = Document.makeUngrouped()
    [1, 2].forEach { document.setInGroup($0) }
    document.undoManager.undo()
    document.undoManager.undo()
    document.undoManager.redo()
    document.undoManager.redo()
    #expect(document.value == 2)
  }

  @Test func thePlainSwiftTypesAreThere() {
    let selector: Selector = "setTitle:"
    #expect(selector == Selector("setTitle:"))
    #expect(selector.description == "setTitle:")
    #expect(Set([selector, "setTitle:"]).count == 1)
    #expect(autoreleasepool { 3 } == 3)
    #expect(throws: CancellationError.self) { try autoreleasepool { throw CancellationError() } }
    #expect(NSUndoCloseGroupingRunLoopOrdering == 350000)
    #expect(NSUndoManagerGroupIsDiscardableKey == "NSUndoManagerGroupIsDiscardableKey")
  }
}
