import Foundation
import ListSnapshots

/// Supplies a collection with items and cells. Two methods are required; the others have defaults.
///
/// Source: UIKit, `UICollectionViewDataSource`. Headers and footers are requested only where the
/// layout has them.
@MainActor
public protocol UICollectionViewDataSource: AnyObject {
  /// The number of sections; 1 by default.
  func numberOfSections(in collectionView: UICollectionView) -> Int
  /// The number of items in a section.
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  /// Returns the cell for an item, dequeued from the collection.
  func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  /// Returns a section's header or footer, of a kind that the layout has. Traps by default.
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView

  /// Whether the user can move an item; false by default.
  func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath)
    -> Bool
  /// Moves an item in the model after the user has moved it in the collection. Does nothing by
  /// default.
  func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath)

  /// The titles of the index beside the collection; `nil` (the default) is none.
  func indexTitles(for collectionView: UICollectionView) -> [String]?
  /// The item that a title of the index leads to; by default the first of the section of the same
  /// number.
  func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath

  /// A name for the item that moves and reloads do not change, unique in the collection; with `nil`
  /// (the default) the collection makes one. Not in UIKit.
  func collectionView(
    _ collectionView: UICollectionView, identifierForItemAt indexPath: IndexPath
  ) -> String?
}

extension UICollectionViewDataSource {
  /// Returns 1.
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
  /// Traps: the layout has headers or footers, and the data source none.
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    fatalError(
      "The layout has views of the kind \(kind), and \(type(of: self)) has no "
        + "collectionView(_:viewForSupplementaryElementOfKind:at:)")
  }
  /// Returns false.
  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { false }
  /// Does nothing.
  public func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {}
  /// Returns `nil`.
  public func indexTitles(for collectionView: UICollectionView) -> [String]? { nil }
  /// Returns the path of the first item of the section of the same number.
  public func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath { IndexPath(item: 0, section: index) }
  /// Returns `nil`.
  public func collectionView(
    _ collectionView: UICollectionView, identifierForItemAt indexPath: IndexPath
  ) -> String? { nil }
}
