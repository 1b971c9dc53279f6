import Testing

@testable import Undo

@Suite struct LevelTests {
  @Test func levelsAreUnlimitedAtFirst() {
    let document = Document.makeUngrouped()
    #expect(document.undoManager.levelsOfUndo == 0)
    (1...100).forEach { document.setInGroup($0) }
    #expect(document.undoManager.undoCount == 100)
  }

  @Test func theOldestGroupsAreDropped() {
    let document = Document.makeUngrouped(1)
    document.undoManager.levelsOfUndo = 3
    [2, 3, 4, 5].forEach { document.setInGroup($0) }
    for _ in 1...3 {
      #expect(document.undoManager.canUndo)
      document.undoManager.undo()
    }
    #expect(!document.undoManager.canUndo)
    document.undoManager.undo()
    #expect(document.value == 2)
  }

  @Test func loweringDropsTheOldestAtOnce() {
    let document = Document.makeUngrouped()
    (1...10).forEach { document.setInGroup($0) }
    document.undoManager.levelsOfUndo = 2
    #expect(document.undoManager.undoCount == 2)
    document.undoManager.levelsOfUndo = 0
    document.undoManager.undo()
    document.undoManager.undo()
    #expect(document.value == 8)
    #expect(!document.undoManager.canUndo)
  }

  @Test func nestedGroupsAreNoLevels() {
    let document = Document.makeUngrouped()
    document.undoManager.levelsOfUndo = 1
    document.undoManager.beginUndoGrouping()
    (1...5).forEach { document.setInGroup($0) }
    document.undoManager.endUndoGrouping()
    document.undoManager.undo()
    #expect(document.value == 0)
  }

  @Test(arguments: [1, 7, 1000])
  func theStackKeepsTheNewestUnderAnyLoad(limit: Int) {
    var stack = UndoGroupStack()
    stack.limit = limit
    var model: [ObjectIdentifier] = []
    for step in 0..<5000 {
      if step % 3 == 2 {
        #expect(stack.pop().map(ObjectIdentifier.init) == model.popLast())
      } else {
        let group = UndoGroup()
        stack.push(group)
        model.append(ObjectIdentifier(group))
        if model.count > limit { model.removeFirst() }
      }
      #expect(stack.count == model.count)
      #expect(stack.last.map(ObjectIdentifier.init) == model.last)
    }
  }
}
