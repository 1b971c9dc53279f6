import Foundation
import Testing
import Undo

@Suite struct NotificationTests {
  @Test func namesAreObjectiveCsSymbols() {
    #expect(
      NotificationLog.names.map(\.0.rawValue) == [
        "NSUndoManagerCheckpointNotification", "NSUndoManagerDidOpenUndoGroupNotification",
        "NSUndoManagerWillCloseUndoGroupNotification",
        "NSUndoManagerDidCloseUndoGroupNotification", "NSUndoManagerWillUndoChangeNotification",
        "NSUndoManagerDidUndoChangeNotification", "NSUndoManagerWillRedoChangeNotification",
        "NSUndoManagerDidRedoChangeNotification",
      ])
  }

  @Test func groupsPostInOrderAndTopLevelOnesOpenWithoutCheckpoint() {
    let document = Document.makeUngrouped()
    let log = NotificationLog(document.undoManager)
    document.undoManager.beginUndoGrouping()
    #expect(log.takeWords() == ["didOpen"])
    document.undoManager.beginUndoGrouping()
    #expect(log.takeWords() == ["checkpoint", "didOpen"])
    document.undoManager.endUndoGrouping()
    #expect(log.takeWords() == ["checkpoint", "willClose", "didClose"])
    document.undoManager.endUndoGrouping()
    #expect(log.takeWords() == ["checkpoint", "willClose", "didClose"])
  }

  @Test func anEventPostsForItsGroupToo() {
    let document = Document()
    let log = NotificationLog(document.undoManager)
    document.set(1)
    document.set(2)
    #expect(log.takeWords() == ["didOpen"])
    document.undoManager.endEvent()
    #expect(log.takeWords() == ["checkpoint", "checkpoint", "willClose", "didClose"])
    document.undoManager.beginUndoGrouping()
    #expect(log.takeWords() == ["didOpen", "checkpoint", "didOpen"])
  }

  @Test func undoAndRedoPostBeforeAndAfter() {
    let document = Document.makeUngrouped()
    document.setInGroup(1)
    let log = NotificationLog(document.undoManager)
    document.undoManager.undo()
    #expect(log.takeWords() == ["checkpoint", "willUndo", "checkpoint", "didUndo"])
    document.undoManager.redo()
    #expect(log.takeWords() == ["checkpoint", "willRedo", "checkpoint", "didRedo"])
    document.undoManager.undoNestedGroup()
    #expect(log.takeWords() == ["checkpoint", "willUndo", "checkpoint", "didUndo"])
  }

  @Test func askingWhetherToRedoPostsACheckpointAndWhetherToUndoDoesNot() {
    let undoManager = UndoManager()
    let log = NotificationLog(undoManager)
    _ = undoManager.canUndo
    #expect(log.words == [])
    _ = undoManager.canRedo
    #expect(log.words == ["checkpoint"])
  }

  @Test func anObserverOfTheCheckpointMayAskWhetherToRedo() {
    let undoManager = UndoManager()
    let log = NotificationLog(undoManager) { _ in _ = undoManager.canRedo }
    undoManager.undo()
    #expect(log.words == ["checkpoint"])
  }
}
