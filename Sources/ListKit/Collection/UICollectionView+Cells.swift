import Foundation

extension UICollectionView {
  /// Registers the class of the cells of an identifier; `nil` unregisters it.
  public func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
    register(cellClass, as: UICollectionViewCell.self, ReuseKey(kind: nil, identifier))
  }

  /// Registers the class of the headers or footers of an identifier; `nil` unregisters it.
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

  /// A cell for the item that the data source is asked for. Always one: an identifier without a
  /// class is a programmer's error.
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

  /// A header or a footer, made as it was registered.
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

/// Under what views are registered and kept for reuse.
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

/// What a collection view makes a registered view from.
public struct ReusableViewRegistration: Sendable {
  let key: ReuseKey
}
