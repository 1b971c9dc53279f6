/// The properties of a group that a user or a document sees.
struct UndoGroupLabel {
  var name = ""
  /// nil unless the client has set it.
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

  /// Whether the group has something to undo. A closed nested group counts even when it is empty.
  var hasContent: Bool {
    guard let last = items.last else { return false }
    guard items.count == 1, let nested = last.group, nested.isOpen else { return true }
    return nested.hasContent
  }

  /// The group's own name, or else that of the latest nested group that has one.
  var actionName: String {
    guard label.name.isEmpty else { return label.name }
    return nestedGroups.reversed().lazy.map(\.actionName).first { !$0.isEmpty } ?? ""
  }

  /// The flag that the client has set, or else whether the group consists of discardable groups
  /// only.
  var isDiscardable: Bool {
    if let said = label.isDiscardable { return said }
    return !items.isEmpty && items.allSatisfy { $0.group?.isDiscardable ?? false }
  }

  /// The group's own value, or else that of the latest nested group that has one.
  func userInfoValue(for key: UndoManager.UserInfoKey) -> Any? {
    if let value = label.userInfo?[key] { return value }
    return nestedGroups.reversed().lazy.compactMap { $0.userInfoValue(for: key) }.first
  }

  /// Removes the actions of the target, and the closed nested groups that become empty. Returns
  /// whether anything was removed.
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
