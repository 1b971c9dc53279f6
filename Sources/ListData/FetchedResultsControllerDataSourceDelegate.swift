import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// What a ``FetchedResultsControllerDataSource`` asks of the controller of its list.
@MainActor
public protocol FetchedResultsControllerDataSourceDelegate<Object>: AnyObject {
  associatedtype Object: NSManagedObject

  /// Fills a cell of a table with what an object says. A collection's cells are made by the closure
  /// that its data source is given.
  func configure(_ cell: UITableViewCell, with object: Object)

  /// The user asked for a row to be deleted: delete its object.
  func delete(_ object: Object)

  /// Whether the user may drag the row of an object to another place; no unless written.
  func canMove(_ object: Object) -> Bool

  /// The user has dragged a row: give the objects the order that the list shows already.
  func move(_ object: Object, from source: IndexPath, to destination: IndexPath)
}

extension FetchedResultsControllerDataSourceDelegate {
  public func configure(_ cell: UITableViewCell, with object: Object) {
    fatalError("\(type(of: self)) has a table and must write configure(_:with:)")
  }
  public func canMove(_ object: Object) -> Bool { false }
  public func move(_ object: Object, from source: IndexPath, to destination: IndexPath) {}
}
