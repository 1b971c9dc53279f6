/// What a user or a document may be told about a group.
struct UndoGroupLabel {
  var name = ""
  /// nil when nobody said.
  var isDiscardable: Bool?
  var userInfo: [UndoManager.UserInfoKey: Any]?
}

/// A list of actions and nested groups, undone as one, last entry first.
///
/// A nested group is an entry of its parent from the moment it opens; so only the last entry of an
/// open group can be open.
final class UndoGroup: UndoItem {
  var items: [UndoItem] = []
  var label = UndoGroupLabel()
  var isOpen = false

  override var group: UndoGroup? { self }

  /// Whether there is something to undo in it. A closed nested group counts even when it is empty.
  var hasContent: Bool {
    guard let last = items.last else { return false }
    guard items.count == 1, let nested = last.group, nested.isOpen else { return true }
    return nested.hasContent
  }

  /// Its own name or else that of the latest nested group that has one.
  var actionName: String {
    guard label.name.isEmpty else { return label.name }
    return nestedGroups.reversed().lazy.map(\.actionName).first { !$0.isEmpty } ?? ""
  }

  /// What was said of it or else whether it consists of discardable groups.
  var isDiscardable: Bool {
    if let said = label.isDiscardable { return said }
    return !items.isEmpty && items.allSatisfy { $0.group?.isDiscardable ?? false }
  }

  /// Its own value or else that of the latest nested group that has one.
  func userInfoValue(for key: UndoManager.UserInfoKey) -> Any? {
    if let value = label.userInfo?[key] { return value }
    return nestedGroups.reversed().lazy.compactMap { $0.userInfoValue(for: key) }.first
  }

  /// Removes the actions of the target, and the closed nested groups that are empty for that.
  /// Returns whether anything was removed.
  @discardableResult
  func removeActions(of target: ObjectIdentifier) -> Bool {
    let count = items.count
    var removedInside = false
    items.removeAll { item in
      guard let nested = item.group else { return item.targets(target) }
      let removed = nested.removeActions(of: target)
      removedInside = removedInside || removed
      return removed && nested.items.isEmpty && !nested.isOpen
    }
    return removedInside || items.count != count
  }

  private var nestedGroups: [UndoGroup] { items.compactMap(\.group) }
}
