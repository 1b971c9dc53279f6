import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension FetchedResultsControllerDataSource: UICollectionViewDataSource {
  /// The number of the controller's sections.
  public func numberOfSections(in collectionView: UICollectionView) -> Int {
    fetchedResultsController?.sections?.count ?? 0
  }

  /// The number of the controller's objects in a section.
  public func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { fetchedResultsController?.sections?[section].numberOfObjects ?? 0 }

  /// Returns the cell that the cell provider makes for the object. Traps for a path without an
  /// object.
  public func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    guard let object = object(at: indexPath), let cellProvider else {
      fatalError("There is no object at section \(indexPath.section), item \(indexPath.item)")
    }
    return cellProvider(collectionView, indexPath, object)
  }

  /// Returns the view that `supplementaryViewProvider` makes. Traps without a provider.
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    guard let view = supplementaryViewProvider?(collectionView, kind, indexPath) else {
      fatalError("The layout has views of the kind \(kind): set supplementaryViewProvider")
    }
    return view
  }

  /// The controller's index titles; `nil` without a section name key path.
  public func indexTitles(for collectionView: UICollectionView) -> [String]? {
    guard fetchedResultsController?.sectionNameKeyPath != nil else { return nil }
    return fetchedResultsController?.sectionIndexTitles
  }

  /// Returns the first item of the controller's section for an index title.
  public func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath {
    let section = fetchedResultsController?.section(forSectionIndexTitle: title, at: index)
    return IndexPath(item: 0, section: section ?? index)
  }

  /// Whether the user can move an item: as the delegate's `canMove(_:)` says.
  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { object(at: indexPath).map { delegate?.canMove($0) ?? false } ?? false }

  /// Lets the delegate move the object after the user has moved its item.
  public func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    guard let object = object(at: sourceIndexPath) else { return }
    follow(moveFrom: sourceIndexPath, to: destinationIndexPath) {
      delegate?.move(object, from: sourceIndexPath, to: destinationIndexPath)
    }
  }
}
