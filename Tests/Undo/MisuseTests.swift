import Testing

@testable import Undo

@Suite struct MisuseTests {
  let undoManager = UndoManager()

  @Test func everyTextHasApplesForm() {
    let text = undoManager.text(of: .tooManyOpenGroups, in: "undo")
    let form = #/undo: NSUndoManager 0x[0-9a-f]+ is in invalid state, (.*)/#
    #expect(
      text.wholeMatch(of: form)?.1 == "undo was called with too many nested undo groups")
  }

  @Test func undoWithAGroupBegunIsMisuse() {
    undoManager.beginUndoGrouping()
    #expect(undoManager.misuseOfUndo == .tooManyOpenGroups)
    undoManager.endUndoGrouping()
    #expect(undoManager.misuseOfUndo == nil)
  }

  @Test func endWithoutBeginIsMisuse() {
    #expect(undoManager.misuseOfEnd == .noMatchingBegin)
  }

  @Test func enableWithoutDisableIsMisuse() {
    #expect(undoManager.misuseOfEnable == .noMatchingDisable)
    undoManager.disableUndoRegistration()
    #expect(undoManager.misuseOfEnable == nil)
  }

  @Test func undoOfANestedGroupAfterALooseActionIsMisuse() {
    undoManager.registerUndo(withTarget: undoManager) { _ in }
    #expect(undoManager.misuseOfUndoNestedGroup == .groupIsOpen)
  }

  @Test func changingWhileChangingIsMisuse() {
    var seen: [UndoMisuse?] = []
    func register() {
      seen.append(undoManager.misuseOfUndo)
      seen.append(undoManager.misuseOfEnd)
      undoManager.registerUndo(withTarget: undoManager) { _ in register() }
    }
    register()
    undoManager.undo()
    undoManager.redo()
    #expect(
      seen == [
        nil, .noMatchingBegin, .whileUndoing, .noMatchingBegin, .whileRedoing, .noMatchingBegin,
      ])
  }

  @Test func registeringOutsideAGroupWithoutGroupingByEventTraps() async {
    await #expect(processExitsWith: .failure) {
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      undoManager.registerUndo(withTarget: undoManager) { _ in }
    }
  }

  @Test func namingOutsideAGroupWithoutGroupingByEventTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      undoManager.setActionName("Name")
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("must begin a group before registering undo"))
  }

  @Test func markingDiscardableOutsideAGroupWithoutGroupingByEventTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      undoManager.setActionIsDiscardable(true)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("must begin a group before setting undo action discardability"))
  }

  @Test func undoInsideABegunGroupTraps() async {
    await #expect(processExitsWith: .failure) {
      let undoManager = UndoManager()
      undoManager.beginUndoGrouping()
      undoManager.undo()
    }
  }

  @Test func endWithoutBeginTraps() async {
    await #expect(processExitsWith: .failure) { UndoManager().endUndoGrouping() }
  }

  @Test func enableWithoutDisableTraps() async {
    await #expect(processExitsWith: .failure) { UndoManager().enableUndoRegistration() }
  }
}
