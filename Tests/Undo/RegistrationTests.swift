import Testing
import Undo

@Suite struct RegistrationTests {
  @Test func disablingCounts() {
    let undoManager = UndoManager()
    undoManager.disableUndoRegistration()
    undoManager.disableUndoRegistration()
    undoManager.enableUndoRegistration()
    #expect(!undoManager.isUndoRegistrationEnabled)
    undoManager.enableUndoRegistration()
    #expect(undoManager.isUndoRegistrationEnabled)
  }

  @Test func nothingIsRegisteredWhileDisabled() {
    let document = Document()
    document.undoManager.disableUndoRegistration()
    document.set(1)
    document.undoManager.enableUndoRegistration()
    #expect(document.undoManager.groupingLevel == 0)
    document.undoManager.undo()
    #expect(document.value == 1)
  }

  @Test func targetsAreNotRetainedAndTheirActionsAreSkippedWhenTheyAreGone() {
    let document = Document()
    let undoManager = document.undoManager
    weak var weakTarget: Document?
    document.set(1)
    do {
      let target = Document(0, undoManager: undoManager)
      weakTarget = target
      target.set(1)
    }
    #expect(weakTarget == nil)
    undoManager.undo()
    #expect(document.value == 0)
  }

  @Test func handlersAreRetainedUntilTheirGroupIsGone() {
    let undoManager = UndoManager()
    weak var captured: Document?
    do {
      let document = Document()
      captured = document
      undoManager.registerUndo(withTarget: undoManager) { _ in _ = document.value }
    }
    #expect(captured != nil)
    undoManager.removeAllActions()
    #expect(captured == nil)
  }

  @Test func aTargetCanRemoveItsActionsAsItGoes() {
    final class Target {
      let undoManager: UndoManager
      init(_ undoManager: UndoManager) { self.undoManager = undoManager }
      deinit { undoManager.removeAllActions(withTarget: self) }
    }
    let undoManager = UndoManager()
    do {
      let target = Target(undoManager)
      undoManager.registerUndo(withTarget: target) { _ in }
      #expect(undoManager.canUndo)
    }
    #expect(!undoManager.canUndo)
  }

  @Test func removingEverythingAlsoEnablesRegistration() {
    let document = Document()
    document.set(1)
    document.undoManager.undo()
    document.set(1)
    document.undoManager.disableUndoRegistration()
    document.undoManager.removeAllActions()
    #expect(document.undoManager.isUndoRegistrationEnabled)
    #expect(!document.undoManager.canUndo && !document.undoManager.canRedo)
    #expect(document.undoManager.groupingLevel == 0)
  }

  @Test func removingATargetsActionsRemovesTheGroupsThatAreEmptyForThat() {
    let undoManager = UndoManager()
    undoManager.groupsByEvent = false
    let (first, second) = (
      Document(15, undoManager: undoManager), Document(25, undoManager: undoManager)
    )
    second.setInGroup(26)
    second.setInGroup(27)
    undoManager.beginUndoGrouping()
    first.setInGroup(16)
    undoManager.endUndoGrouping()
    first.setInGroup(17)

    undoManager.removeAllActions(withTarget: first)
    undoManager.undo()
    #expect((first.value, second.value) == (17, 26))
    #expect(undoManager.canUndo)
    undoManager.undo()
    #expect((first.value, second.value) == (17, 25))
    #expect(!undoManager.canUndo)
  }

  @Test func removingATargetsActionsDoesNotEnableRegistrationNorTouchOthers() {
    let undoManager = UndoManager()
    let (first, second) = (
      Document(0, undoManager: undoManager), Document(0, undoManager: undoManager)
    )
    first.set(1)
    second.set(1)
    undoManager.disableUndoRegistration()
    undoManager.removeAllActions(withTarget: first)
    #expect(!undoManager.isUndoRegistrationEnabled)
    #expect(undoManager.groupingLevel == 1)
    undoManager.undo()
    #expect((first.value, second.value) == (1, 0))
  }

  @Test func severalTargetsShareOneManager() {
    let undoManager = UndoManager()
    let documents = [10, 20, 30].map { Document($0, undoManager: undoManager) }
    documents[0].setInGroup(11)
    documents[1].setInGroup(21)
    documents[0].setInGroup(12)
    undoManager.undoNestedGroup()
    documents[2].setInGroup(31)
    undoManager.beginUndoGrouping()
    for document in documents { document.setInGroup(document.value + 1) }
    undoManager.endUndoGrouping()
    undoManager.undoNestedGroup()
    #expect(documents.map(\.value) == [11, 21, 31])
    undoManager.redo()
    #expect(documents.map(\.value) == [12, 22, 32])
    undoManager.removeAllActions(withTarget: documents[1])
    undoManager.undoNestedGroup()
    #expect(documents.map(\.value) == [11, 22, 31])
    undoManager.undoNestedGroup()
    #expect(documents.map(\.value) == [11, 22, 30])
    undoManager.undo()
    #expect(documents.map(\.value) == [10, 22, 30])
  }

  @Test func anActionMayRemoveEverythingAndGoOnRegistering() {
    let document = Document()
    let undoManager = document.undoManager
    undoManager.registerUndo(withTarget: document) { $0.value = -1 }
    undoManager.registerUndo(withTarget: document) {
      $0.undoManager.removeAllActions()
      $0.set(5)
    }
    undoManager.undo()
    #expect(document.value == 5)
    #expect(!undoManager.canUndo)
    undoManager.redo()
    #expect(document.value == 0)
  }
}
