import Foundation
import Testing
import Undo

@Suite struct LabelTests {
  let document = Document.makeUngrouped()
  var undoManager: UndoManager { document.undoManager }

  @Test func titlesCarryTheName() {
    #expect(undoManager.undoActionName == "")
    #expect(undoManager.redoActionName == "")
    #expect(undoManager.undoMenuItemTitle == "Undo")
    #expect(undoManager.redoMenuItemTitle == "Redo")
    document.setInGroup(1, name: "Delete")
    #expect(undoManager.undoMenuItemTitle == "Undo Delete")
    #expect(undoManager.undoMenuTitle(forUndoActionName: "") == "Undo")
    #expect(undoManager.redoMenuTitle(forUndoActionName: "Move") == "Redo Move")
  }

  @Test func aNameGoesThroughUndoAndRedo() {
    document.setInGroup(1, name: "One")
    document.setInGroup(2, name: "Two")
    undoManager.undo()
    #expect(undoManager.undoActionName == "One")
    #expect(undoManager.redoActionName == "Two")
    #expect(undoManager.redoMenuItemTitle == "Redo Two")
    undoManager.redo()
    #expect(undoManager.undoActionName == "Two")
    #expect(undoManager.redoActionName == "")
  }

  @Test func anActionMayRenameWhatItRegisters() {
    undoManager.beginUndoGrouping()
    undoManager.setActionName("Delete")
    undoManager.registerUndo(withTarget: document) {
      $0.set(1)
      $0.undoManager.setActionName("Insert")
    }
    undoManager.endUndoGrouping()
    undoManager.undo()
    #expect(undoManager.redoActionName == "Insert")
  }

  @Test func anEmptyNameRemovesTheName() {
    undoManager.beginUndoGrouping()
    document.set(1)
    undoManager.setActionName("Delete")
    #expect(undoManager.undoActionName == "Delete")
    undoManager.setActionName("")
    #expect(undoManager.undoActionName == "")
  }

  @Test func theNameOfANestedGroupIsSeenThroughTheEvents() {
    let document = Document()
    document.setInGroup(1, name: "Inner")
    #expect(document.undoManager.undoActionName == "Inner")
    document.undoManager.endEvent()
    #expect(document.undoManager.undoActionName == "Inner")
    document.undoManager.undo()
    #expect(document.undoManager.redoActionName == "Inner")
  }

  @Test func anEventWithANameAndNothingElseIsNoStep() {
    let undoManager = UndoManager()
    undoManager.setActionName("Nothing")
    #expect(!undoManager.canUndo)
    undoManager.endEvent()
    #expect(!undoManager.canUndo)
    #expect(undoManager.undoActionName == "")
  }

  @Test func aDiscardableGroupSaysSoBeforeItCloses() {
    let log = NotificationLog(undoManager)
    undoManager.beginUndoGrouping()
    document.set(1)
    #expect(!undoManager.undoActionIsDiscardable)
    undoManager.setActionIsDiscardable(true)
    undoManager.endUndoGrouping()
    let position = log.words.firstIndex(of: "willClose")
    let userInfo = position.flatMap { log.userInfos[$0] }
    #expect(userInfo?[NSUndoManagerGroupIsDiscardableKey] as? NSNumber == true)
    #expect(undoManager.undoActionIsDiscardable)
    undoManager.undo()
    #expect(!undoManager.undoActionIsDiscardable)
    #expect(undoManager.redoActionIsDiscardable)
  }

  @Test func anOrdinaryGroupHasNoDiscardableKey() {
    let log = NotificationLog(undoManager)
    document.setInGroup(1)
    #expect(log.userInfos.allSatisfy { $0?[NSUndoManagerGroupIsDiscardableKey] == nil })
  }

  @Test func anEventIsDiscardableIfAllItsGroupsAre() {
    let document = Document()
    let undoManager = document.undoManager
    for value in 1...2 {
      undoManager.beginUndoGrouping()
      document.set(value)
      undoManager.setActionIsDiscardable(true)
      undoManager.endUndoGrouping()
    }
    undoManager.endEvent()
    #expect(undoManager.undoActionIsDiscardable)
    document.set(3)
    #expect(!undoManager.undoActionIsDiscardable)
  }

  @Test func userInfoValuesGoThroughUndoAndRedo() {
    let key = UndoManager.UserInfoKey("page")
    undoManager.beginUndoGrouping()
    document.set(1)
    undoManager.setActionUserInfoValue(7, forKey: key)
    undoManager.endUndoGrouping()
    #expect(undoManager.undoActionUserInfoValue(forKey: key) as? Int == 7)
    #expect(undoManager.undoActionUserInfoValue(forKey: .init(rawValue: "other")) == nil)
    undoManager.undo()
    #expect(undoManager.undoActionUserInfoValue(forKey: key) == nil)
    #expect(undoManager.redoActionUserInfoValue(forKey: key) as? Int == 7)
  }

  @Test func withRegistrationDisabledANameIsPassedOver() {
    undoManager.disableUndoRegistration()
    undoManager.setActionName("Delete")
    #expect(undoManager.groupingLevel == 0)
  }
}
