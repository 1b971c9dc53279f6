/// What other windows know of one.
package struct Presence: Equatable {
  /// The screens that the window shows below its sheets, each by the identifiers that lead to it
  /// from the root; and the list of an object that is being edited on a screen of its own.
  package let places: Set<[String]>
  /// The name of the row that the window's user edits.
  package let row: String?
}

extension UIWindow {
  /// What other windows know of this one.
  ///
  /// - Parameter row: the row that the user edits in its list, or is asked about.
  package func presence(editing row: String?) -> Presence {
    let columns = visibleColumns
    var places = Set(columns.compactMap(\.restorationPath))
    let edited = columns.lazy.compactMap(\.editedScreen).first
    if let path = edited?.restorationPath { places.insert(path.dropLast()) }
    let known = row.flatMap { ListView.isOwnName($0) ? nil : $0 }
    return Presence(places: places, row: known ?? edited?.restorationIdentifier)
  }

  /// The controller that has the user's attention below the sheets.
  fileprivate var attendedColumn: UIViewController? {
    let columns = visibleColumns
    return columns.first { $0.splitViewController?.active?.topViewController === $0 }
      ?? columns.last
  }
}

extension UIViewController {
  /// The screen of an object that is being edited: this one, or one that has led to it.
  fileprivate var editedScreen: UIViewController? {
    (navigationController?.viewControllers ?? [self]).last {
      $0.isEditing && $0.restorationIdentifier != nil
    }
  }
}

/// The row that an alert or a sheet of a window is about.
@MainActor
package struct AskedRow {
  package private(set) var name: String?
  private var isAsking = false

  package init() {}

  /// Follows the window after an event.
  ///
  /// - Parameter acted: the row that the event was about, if any. Without one it is the screen that
  ///   has asked, such as that of an object whose row stands beside it.
  package mutating func follow(_ window: UIWindow, acted: String?) {
    let isAskingNow = window.visibleAlert != nil || !window.visibleSheets.isEmpty
    if isAskingNow != isAsking {
      name = isAskingNow ? acted ?? window.attendedColumn?.restorationIdentifier : nil
    }
    isAsking = isAskingNow
  }
}
