import Foundation
import ListSnapshots

/// A list of items in sections, laid out as a list or a grid. Only a window of the items has cells.
///
/// Source: UIKit, `UICollectionView`. A batch of updates must follow UIKit's strict rule that the
/// counts add up. Headers and footers are drawn as the texts of their supplementary views.
open class UICollectionView: ListView {
  /// The position of an item after scrolling to it. Horizontal positions are ignored.
  public struct ScrollPosition: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// At the top.
    public static let top = Self(rawValue: 1)
    /// In the vertical middle.
    public static let centeredVertically = Self(rawValue: 2)
    /// At the bottom.
    public static let bottom = Self(rawValue: 4)
    /// At the left edge; ignored.
    public static let left = Self(rawValue: 8)
    /// In the horizontal middle; ignored.
    public static let centeredHorizontally = Self(rawValue: 16)
    /// At the right edge; ignored.
    public static let right = Self(rawValue: 32)
  }

  /// The kind of sections' headers.
  public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
  /// The kind of sections' footers.
  public static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

  /// The source of items and cells. Setting it forgets the known counts.
  open weak var dataSource: (any UICollectionViewDataSource)? { didSet { forgetCounts() } }
  /// Hears of selection, display and moves.
  open weak var delegate: (any UICollectionViewDelegate)?

  /// The layout. Setting another one redraws everything.
  open var collectionViewLayout: UICollectionViewLayout {
    didSet {
      oldValue.collectionView = nil
      collectionViewLayout.collectionView = self
      layoutChanged()
    }
  }

  /// The registered classes, by the text of their `ReuseKey`.
  var viewClasses: [String: UICollectionReusableView.Type] = [:]
  /// The sections' layouts, read from the layout object and kept until the counts or the layout
  /// change.
  private var sectionLayouts: [Int: SectionLayout] = [:]

  /// Makes a collection view with this layout.
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
    layout.collectionView = self
  }

  public required init?(coder: NSCoder) { nil }

  /// Sets `collectionViewLayout`; nothing is animated.
  open func setCollectionViewLayout(_ layout: UICollectionViewLayout, animated: Bool) {
    collectionViewLayout = layout
  }

  /// Sets `collectionViewLayout`, and calls the completion with true at once; nothing is animated.
  open func setCollectionViewLayout(
    _ layout: UICollectionViewLayout, animated: Bool,
    completion: (@MainActor (Bool) -> Void)? = nil
  ) {
    collectionViewLayout = layout
    completion?(true)
  }

  /// Redraws everything after a change of the layout.
  func layoutChanged() {
    sectionLayouts = [:]
    window?.record(.listReloaded(self))
  }

  func layout(ofSection section: Int) -> SectionLayout {
    if let layout = sectionLayouts[section] { return layout }
    let layout = collectionViewLayout.layout(ofSection: section)
    sectionLayouts[section] = layout
    return layout
  }

  // MARK: Content

  override var words: ListWords { .collection }
  override func askRowCounts() -> [Int] {
    sectionLayouts = [:]
    guard let dataSource else { return [] }
    let sections = dataSource.numberOfSections(in: self)
    return (0..<sections).map { dataSource.collectionView(self, numberOfItemsInSection: $0) }
  }
  override func askCell(at path: IndexPath) -> ListCell {
    guard let dataSource else { fatalError("A collection view with items has no data source") }
    let cell = dataSource.collectionView(self, cellForItemAt: path)
    showOutline(on: cell, at: path)
    return cell
  }
  override func askIdentifier(at path: IndexPath) -> String? {
    dataSource?.collectionView(self, identifierForItemAt: path)
  }
  override package var sharingKey: String? { (dataSource as? any SharedRows)?.sharingKey }
  override func willDisplay(_ cell: ListCell, at path: IndexPath) {
    guard let cell = cell as? UICollectionViewCell else { return }
    delegate?.collectionView(self, willDisplay: cell, forItemAt: path)
  }
  override func didEndDisplaying(_ cell: ListCell, at path: IndexPath) {
    guard let cell = cell as? UICollectionViewCell else { return }
    delegate?.collectionView(self, didEndDisplaying: cell, forItemAt: path)
  }
  override package func headerTitle(inSection section: Int) -> String? {
    layout(ofSection: section).hasHeader ? text(Self.elementKindSectionHeader, section) : nil
  }
  override package func footerTitle(inSection section: Int) -> String? {
    layout(ofSection: section).hasFooter ? text(Self.elementKindSectionFooter, section) : nil
  }

  /// The texts of a supplementary view, which goes to the reuse pool at once.
  private func text(_ kind: String, _ section: Int) -> String? {
    let path = IndexPath(item: 0, section: section)
    let view = dataSource?.collectionView(
      self, viewForSupplementaryElementOfKind: kind, at: path)
    defer { view.map(keepForReuse) }
    return view?.text
  }

  override package var indexTitles: [String]? { dataSource?.indexTitles(for: self) }
  override func indexPath(ofIndexTitleAt index: Int) -> IndexPath? {
    guard let titles = indexTitles else { return nil }
    return dataSource?.collectionView(self, indexPathForIndexTitle: titles[index], at: index)
  }

  override package var isForm: Bool {
    layout(ofSection: 0).list.map { $0.appearance.isGrouped } ?? false
  }
  override package func grid(inSection section: Int) -> ListGrid? {
    layout(ofSection: section).grid
  }

  // MARK: Interaction

  override func shouldHighlight(_ path: IndexPath) -> Bool {
    delegate?.collectionView(self, shouldHighlightItemAt: path) ?? true
  }
  override func willSelect(_ path: IndexPath) -> IndexPath? {
    if let disclosure = outlineDisclosure(at: path), disclosure.style == .header {
      toggle(disclosure, at: path)
      return nil
    }
    return delegate?.collectionView(self, shouldSelectItemAt: path) ?? true ? path : nil
  }
  override func didSelect(_ path: IndexPath) {
    delegate?.collectionView(self, didSelectItemAt: path)
  }
  /// Asks the delegate only when the user deselects an item, not when another selection replaces
  /// it.
  override func willDeselect(_ path: IndexPath) -> IndexPath? {
    guard allowsMultipleSelection else { return path }
    return delegate?.collectionView(self, shouldDeselectItemAt: path) ?? true ? path : nil
  }
  override func didDeselect(_ path: IndexPath) {
    delegate?.collectionView(self, didDeselectItemAt: path)
  }

  override package func toggleRow(at path: IndexPath) {
    if let disclosure = outlineDisclosure(at: path) { toggle(disclosure, at: path) }
  }
  override package func parentOfRow(at path: IndexPath) -> IndexPath? { parent(of: path) }

  override package func trailingConfiguration(at path: IndexPath) -> UISwipeActionsConfiguration {
    guard let list = layout(ofSection: path.section).list else { return menuActions(at: path) }
    return list.trailingSwipeActionsConfigurationProvider?(path)
      ?? UISwipeActionsConfiguration(actions: [])
  }
  /// The actions of an item's menu.
  private func menuActions(at path: IndexPath) -> UISwipeActionsConfiguration {
    let menu = delegate?.collectionView(
      self, contextMenuConfigurationForItemsAt: [path], point: .zero)
    return menu?.rowActions ?? UISwipeActionsConfiguration(actions: [])
  }
  override package func leadingConfiguration(at path: IndexPath) -> UISwipeActionsConfiguration {
    let provider = layout(ofSection: path.section).list?.leadingSwipeActionsConfigurationProvider
    return provider?(path) ?? UISwipeActionsConfiguration(actions: [])
  }

  override package func canMoveRow(at path: IndexPath) -> Bool {
    dataSource?.collectionView(self, canMoveItemAt: path) ?? false
  }
  override func target(ofMoveFrom source: IndexPath, toProposed proposed: IndexPath) -> IndexPath {
    delegate?.collectionView(
      self, targetIndexPathForMoveOfItemFromOriginalIndexPath: source,
      atCurrentIndexPath: source, toProposedIndexPath: proposed) ?? proposed
  }
  override func didMove(from source: IndexPath, to target: IndexPath) {
    dataSource?.collectionView(self, moveItemAt: source, to: target)
  }
}
