import Foundation

extension UICollectionView {
  /// Registers the class of cells for an identifier; `nil` unregisters it. Traps for a class that
  /// is no subclass of `UICollectionViewCell`.
  public func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
    register(cellClass, as: UICollectionViewCell.self, ReuseKey(kind: nil, identifier))
  }

  /// Registers the class of headers or footers for an identifier; `nil` unregisters it. Traps for a
  /// class that is no subclass of `UICollectionReusableView`.
  public func register(
    _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String,
    withReuseIdentifier identifier: String
  ) {
    register(
      viewClass, as: UICollectionReusableView.self, ReuseKey(kind: elementKind, identifier))
  }

  private func register<Base: UICollectionReusableView>(
    _ viewClass: AnyClass?, as base: Base.Type, _ key: ReuseKey
  ) {
    guard let viewClass else {
      viewClasses[key.text] = nil
      return
    }
    guard let type = viewClass as? Base.Type else {
      fatalError("\(viewClass) was registered, and is no subclass of \(base)")
    }
    viewClasses[key.text] = type
  }

  /// Returns a cell for the item that the data source is asked for, reused or made. Traps for an
  /// identifier without a class, and when the path already has a cell.
  public func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell {
    if let dequeued, dequeued.path == indexPath {
      fatalError(
        "Attempted to dequeue multiple cells for the same index path, which is not allowed. Cell "
          + "identifier: \(identifier), index path: \(indexPath.object)")
    }
    guard let cell = makeView(ReuseKey(kind: nil, identifier)) as? UICollectionViewCell else {
      fatalError(
        "could not dequeue a view of kind: UICollectionElementKindCell with identifier "
          + "\(identifier) - must register a nib or a class for the identifier or connect a "
          + "prototype cell in a storyboard")
    }
    dequeued = (indexPath, identifier)
    return cell
  }

  /// Returns a header or a footer, reused or made of its registered class. Traps for an identifier
  /// without a class.
  public func dequeueReusableSupplementaryView(
    ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionReusableView {
    guard let view = makeView(ReuseKey(kind: elementKind, identifier)) else {
      fatalError(
        "could not dequeue a view of kind: \(elementKind) with identifier \(identifier) - must "
          + "register a nib or a class for the identifier or connect a prototype cell in a "
          + "storyboard")
    }
    return view
  }

  func makeView(_ key: ReuseKey) -> UICollectionReusableView? {
    if let view = idleCell(key.text) as? UICollectionReusableView { return view }
    return viewClasses[key.text]?.init(registration: ReusableViewRegistration(key: key))
  }
}

/// The key under which views are registered and pooled for reuse.
struct ReuseKey: Sendable {
  /// `nil` for cells.
  let kind: String?
  let identifier: String

  init(kind: String?, _ identifier: String) {
    self.kind = kind
    self.identifier = identifier
  }

  var text: String { "\(kind ?? "")/\(identifier)" }
}

/// The arguments for a view of a registered class.
public struct ReusableViewRegistration: Sendable {
  let key: ReuseKey
}
