import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension FetchedResultsControllerDataSource: UICollectionViewDataSource {
  public func numberOfSections(in collectionView: UICollectionView) -> Int {
    fetchedResultsController?.sections?.count ?? 0
  }

  public func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { counts[section] }

  public func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    guard let object = object(at: indexPath), let cellProvider else {
      fatalError("There is no object at section \(indexPath.section), item \(indexPath.item)")
    }
    return cellProvider(collectionView, indexPath, object)
  }

  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    guard let view = supplementaryViewProvider?(collectionView, kind, indexPath) else {
      fatalError("The layout has views of the kind \(kind): set supplementaryViewProvider")
    }
    return view
  }

  public func indexTitles(for collectionView: UICollectionView) -> [String]? {
    guard fetchedResultsController?.sectionNameKeyPath != nil else { return nil }
    return fetchedResultsController?.sectionIndexTitles
  }

  public func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath {
    let section = fetchedResultsController?.section(forSectionIndexTitle: title, at: index)
    return IndexPath(item: 0, section: section ?? index)
  }

  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { object(at: indexPath).map { delegate?.canMove($0) ?? false } ?? false }

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
