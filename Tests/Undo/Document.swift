import Foundation
import Undo

/// A value that keeps its history: what the tests change.
final class Document {
  var value: Int {
    didSet { history.append(value) }
  }
  private(set) var history: [Int] = []
  let undoManager: UndoManager

  init(_ value: Int = 0, undoManager: UndoManager = UndoManager()) {
    self.value = value
    self.undoManager = undoManager
  }

  /// A document whose undo manager does not group by event.
  static func makeUngrouped(_ value: Int = 0) -> Document {
    let document = Document(value)
    document.undoManager.groupsByEvent = false
    return document
  }

  func set(_ new: Int) {
    let old = value
    undoManager.registerUndo(withTarget: self) { $0.set(old) }
    value = new
  }

  func setInGroup(_ new: Int, name: String = "") {
    undoManager.beginUndoGrouping()
    set(new)
    if !name.isEmpty { undoManager.setActionName(name) }
    undoManager.endUndoGrouping()
  }
}

/// Records what an undo manager posts, as one word each, and calls back at each.
final class NotificationLog {
  static let names: [(NSNotification.Name, String)] = [
    (.NSUndoManagerCheckpoint, "checkpoint"), (.NSUndoManagerDidOpenUndoGroup, "didOpen"),
    (.NSUndoManagerWillCloseUndoGroup, "willClose"),
    (.NSUndoManagerDidCloseUndoGroup, "didClose"), (.NSUndoManagerWillUndoChange, "willUndo"),
    (.NSUndoManagerDidUndoChange, "didUndo"), (.NSUndoManagerWillRedoChange, "willRedo"),
    (.NSUndoManagerDidRedoChange, "didRedo"),
  ]

  private(set) var words: [String] = []
  private(set) var userInfos: [[AnyHashable: Any]?] = []
  private var tokens: [any NSObjectProtocol] = []

  init(_ undoManager: UndoManager, at callback: @escaping (String) -> Void = { _ in }) {
    let box = Unchecked(log: self, callback: callback)
    tokens = Self.names.map { name, word in
      NotificationCenter.default.addObserver(forName: name, object: undoManager, queue: nil) {
        box.log?.words.append(word)
        box.log?.userInfos.append($0.userInfo)
        box.callback(word)
      }
    }
  }

  deinit {
    tokens.forEach { NotificationCenter.default.removeObserver($0) }
  }

  func takeWords() -> [String] {
    defer { words = [] }
    return words
  }

  /// Unchecked because undo managers post on the thread of the call, which is the test's.
  private struct Unchecked: @unchecked Sendable {
    weak var log: NotificationLog?
    let callback: (String) -> Void
  }
}
