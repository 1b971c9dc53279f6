import Testing
import Undo

@Suite struct GroupTests {
  @Test func withoutGroupingByEventEachGroupIsAStep() {
    let document = Document.makeUngrouped(5)
    [5, 6, 7, 8].forEach { document.setInGroup($0) }
    document.undoManager.undo()
    #expect(document.value == 7)
    document.undoManager.undo()
    #expect(document.value == 6)
    document.undoManager.undo()
    #expect(document.value == 5)
  }

  @Test func explicitGroupingAtLevelZeroOpensTheEventsGroupAroundIt() {
    let document = Document(5)
    let undoManager = document.undoManager
    #expect(undoManager.groupingLevel == 0)
    undoManager.beginUndoGrouping()
    #expect(undoManager.groupingLevel == 2)
    document.set(6)
    undoManager.endUndoGrouping()
    #expect(undoManager.groupingLevel == 1)
    document.setInGroup(7)
    #expect(undoManager.groupingLevel == 1)
    undoManager.undo()
    #expect(undoManager.groupingLevel == 0)
    #expect(document.value == 5)
  }

  @Test func groupsNestToAnyDepth() {
    let document = Document(5)
    let undoManager = document.undoManager
    undoManager.beginUndoGrouping()
    document.setInGroup(6)
    undoManager.beginUndoGrouping()
    document.setInGroup(7)
    undoManager.beginUndoGrouping()
    document.setInGroup(8)
    #expect(undoManager.groupingLevel == 4)
    (1...3).forEach { _ in undoManager.endUndoGrouping() }
    #expect(undoManager.groupingLevel == 1)
    undoManager.undo()
    #expect(document.history == [6, 7, 8, 7, 6, 5])
    undoManager.redo()
    #expect(document.value == 8)
    #expect(undoManager.groupingLevel == 0)
  }

  @Test func actionsAndGroupsAreUndoneLastFirst() {
    let document = Document.makeUngrouped(5)
    document.setInGroup(6)
    document.undoManager.beginUndoGrouping()
    document.setInGroup(7)
    document.set(8)
    document.undoManager.endUndoGrouping()
    document.undoManager.undo()
    #expect(document.history == [6, 7, 8, 7, 6])
    document.undoManager.undo()
    #expect(document.value == 5)
  }

  @Test func anEmptyClosedGroupStaysToBeUndone() {
    let undoManager = Document.makeUngrouped().undoManager
    undoManager.beginUndoGrouping()
    #expect(!undoManager.canUndo)
    undoManager.endUndoGrouping()
    #expect(undoManager.canUndo)
    undoManager.undo()
    #expect(!undoManager.canUndo)
    #expect(!undoManager.canRedo)
  }

  @Test func undoClosesAGroupAtLevelOne() {
    let document = Document.makeUngrouped(5)
    document.undoManager.beginUndoGrouping()
    document.set(6)
    document.undoManager.undo()
    #expect(document.value == 5)
    #expect(document.undoManager.groupingLevel == 0)
  }

  @Test func undoNestedGroupUndoesTheLastGroupOfTheOpenEvent() {
    let document = Document(5)
    let undoManager = document.undoManager
    [5, 6, 7, 8].forEach { document.setInGroup($0) }
    for expected in [7, 6] {
      undoManager.undoNestedGroup()
      #expect(document.value == expected)
    }
    for expected in [7, 8] {
      undoManager.redo()
      #expect(document.value == expected)
    }
    undoManager.undoNestedGroup()
    #expect(document.value == 7)
    #expect(undoManager.groupingLevel == 1)
  }

  @Test func undoNestedGroupUndoesATopLevelGroup() {
    let document = Document(5)
    [6, 7].forEach(document.set)
    document.undoManager.endUndoGrouping()
    document.undoManager.undoNestedGroup()
    #expect(document.value == 5)
  }

  @Test func undoNestedGroupGoesOnBelowAnEmptiedEvent() {
    let document = Document(5)
    document.set(6)
    document.undoManager.endEvent()
    document.setInGroup(7)
    document.undoManager.undoNestedGroup()
    document.undoManager.undoNestedGroup()
    #expect(document.value == 5)
  }

  @Test func levelIsZeroWhileAChangeIsAnnounced() {
    let document = Document(5)
    var levels: [Int] = []
    let log = NotificationLog(document.undoManager) { word in
      if word.hasSuffix("Undo") { levels.append(document.undoManager.groupingLevel) }
    }
    document.setInGroup(6)
    document.undoManager.undoNestedGroup()
    #expect(levels == [0, 0])
    #expect(log.words.contains("didUndo"))
  }

  @Test func groupsOpenedByAnActionArePartOfTheOneRedoGroup() {
    let document = Document.makeUngrouped(5)
    let undoManager = document.undoManager
    undoManager.beginUndoGrouping()
    undoManager.registerUndo(withTarget: document) {
      $0.setInGroup(1)
      $0.setInGroup(2)
    }
    undoManager.endUndoGrouping()
    undoManager.undo()
    #expect(undoManager.redoCount == 1)
    undoManager.redo()
    #expect(document.value == 5)
  }
}
