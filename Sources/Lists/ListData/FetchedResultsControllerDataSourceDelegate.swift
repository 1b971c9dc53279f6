import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Handles the objects of a ``FetchedResultsControllerDataSource``.
@MainActor
public protocol FetchedResultsControllerDataSourceDelegate<Object>: AnyObject {
  /// The class of the objects.
  associatedtype Object: NSManagedObject

  /// Fills a table's cell with an object. Traps by default. A collection's cells are filled by its
  /// cell provider instead.
  func configure(_ cell: UITableViewCell, with object: Object)

  /// Deletes the object of a row that the user has deleted.
  func delete(_ object: Object)

  /// Whether the user may drag the row of an object; false by default.
  func canMove(_ object: Object) -> Bool

  /// Gives the objects the order that the list shows after the user has dragged a row. Does nothing
  /// by default.
  func move(_ object: Object, from source: IndexPath, to destination: IndexPath)
}

extension FetchedResultsControllerDataSourceDelegate {
  /// Traps: a table needs an implementation.
  public func configure(_ cell: UITableViewCell, with object: Object) {
    fatalError("\(type(of: self)) has a table and must write configure(_:with:)")
  }
  /// Returns false.
  public func canMove(_ object: Object) -> Bool { false }
  /// Does nothing.
  public func move(_ object: Object, from source: IndexPath, to destination: IndexPath) {}
}
