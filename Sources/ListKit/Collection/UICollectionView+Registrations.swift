import Foundation

extension UICollectionView {
  /// A class of cells, and how one is filled with an item; it needs no identifier.
  ///
  /// Source: UIKit, `UICollectionView.CellRegistration`. Make it once, outside of the cell
  /// provider.
  @MainActor
  public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    public typealias Handler =
      @MainActor (_ cell: Cell, _ indexPath: IndexPath, _ item: Item) ->
      Void

    let identifier = "registration-\(UUID())"
    let handler: Handler

    public init(handler: @escaping Handler) { self.handler = handler }
  }

  /// A class of headers or footers, and how one is filled.
  ///
  /// Source: UIKit, `UICollectionView.SupplementaryRegistration`.
  @MainActor
  public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
    public typealias Handler =
      @MainActor (
        _ supplementaryView: Supplementary, _ elementKind: String, _ indexPath: IndexPath
      ) -> Void

    let identifier = "registration-\(UUID())"
    let elementKind: String
    let handler: Handler

    public init(elementKind: String, handler: @escaping Handler) {
      self.elementKind = elementKind
      self.handler = handler
    }
  }

  /// A cell that the registration has filled.
  public func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell {
    let key = ReuseKey(kind: nil, registration.identifier)
    if viewClasses[key.text] == nil { viewClasses[key.text] = Cell.self }
    let view = dequeueReusableCell(
      withReuseIdentifier: registration.identifier, for: indexPath)
    guard let cell = view as? Cell else { fatalError("\(view) is no \(Cell.self)") }
    if let item { registration.handler(cell, indexPath, item) }
    return cell
  }

  /// A header or a footer that the registration has filled.
  public func dequeueConfiguredReusableSupplementary<Supplementary: UICollectionReusableView>(
    using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
  ) -> Supplementary {
    let key = ReuseKey(kind: registration.elementKind, registration.identifier)
    if viewClasses[key.text] == nil { viewClasses[key.text] = Supplementary.self }
    let view = dequeueReusableSupplementaryView(
      ofKind: registration.elementKind, withReuseIdentifier: registration.identifier,
      for: indexPath)
    guard let supplementary = view as? Supplementary else {
      fatalError("\(view) is no \(Supplementary.self)")
    }
    registration.handler(supplementary, registration.elementKind, indexPath)
    return supplementary
  }
}
