import Foundation

/// Index paths of lists: two indexes, the section and the row (or item) in it.
///
/// Follows https://developer.apple.com/documentation/foundation/indexpath (UIKit's additions).
extension IndexPath {
  /// Makes the path of a row of a table.
  public init(row: Int, section: Int) {
    self = Self.pair(section, index: row)
  }

  /// Makes the path of an item of a collection.
  public init(item: Int, section: Int) {
    self = Self.pair(section, index: item)
  }

  /// Appends to a path of one index: `IndexPath(indexes:)` would allocate an array.
  private static func pair(_ section: Int, index: Int) -> IndexPath {
    IndexPath(index: section).appending(index)
  }

  /// The index of the section. Traps unless the path has exactly two indexes.
  public var section: Int {
    get { listIndex(at: 0) }
    set { setListIndex(newValue, at: 0) }
  }

  /// The index of the row in its section. Traps unless the path has exactly two indexes.
  public var row: Int {
    get { listIndex(at: 1) }
    set { setListIndex(newValue, at: 1) }
  }

  /// The index of the item in its section, equal to `row`. Traps unless the path has exactly two
  /// indexes.
  public var item: Int {
    get { listIndex(at: 1) }
    set { setListIndex(newValue, at: 1) }
  }

  private func listIndex(at position: Int) -> Int {
    checkLength()
    return self[position]
  }

  private mutating func setListIndex(_ index: Int, at position: Int) {
    checkLength()
    self[position] = index
  }

  private func checkLength() {
    guard count != 2 else { return }
    fatalError(
      "Invalid index path for use with UITableView. Index paths passed to table view must contain "
        + "exactly two indices specifying the section and row.")
  }
}
