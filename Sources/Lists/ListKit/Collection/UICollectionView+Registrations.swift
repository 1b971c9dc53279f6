import Foundation

extension UICollectionView {
  /// A cell class with a handler that fills a cell with an item. It needs no reuse identifier.
  ///
  /// Source: UIKit, `UICollectionView.CellRegistration`. Make it once, outside of the cell
  /// provider: each registration has a reuse pool of its own.
  @MainActor
  public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    /// Fills a cell with an item.
    public typealias Handler =
      @MainActor (_ cell: Cell, _ indexPath: IndexPath, _ item: Item) ->
      Void

    let identifier = "registration-\(UUID())"
    let handler: Handler

    /// Makes a registration for cells of the class `Cell`.
    public init(handler: @escaping Handler) { self.handler = handler }
  }

  /// A class of headers or footers with a handler that fills one. It needs no reuse identifier.
  ///
  /// Source: UIKit, `UICollectionView.SupplementaryRegistration`.
  @MainActor
  public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
    /// Fills a header or a footer.
    public typealias Handler =
      @MainActor (
        _ supplementaryView: Supplementary, _ elementKind: String, _ indexPath: IndexPath
      ) -> Void

    let identifier = "registration-\(UUID())"
    let elementKind: String
    let handler: Handler

    /// Makes a registration for views of one kind.
    public init(elementKind: String, handler: @escaping Handler) {
      self.elementKind = elementKind
      self.handler = handler
    }
  }

  /// Returns a cell, reused or made, that the registration has filled. With a `nil` item the
  /// handler is not called. Traps when the path already has a cell.
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

  /// Returns a header or a footer, reused or made, that the registration has filled.
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
