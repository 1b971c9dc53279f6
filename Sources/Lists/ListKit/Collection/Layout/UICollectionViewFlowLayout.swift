import Foundation
import ListSnapshots

/// Items of one size, as many side by side as fit.
///
/// Source: UIKit, `UICollectionViewFlowLayout`. All items of a section have the size of its first
/// one and are stretched to fill the width together; lines run from top to bottom.
open class UICollectionViewFlowLayout: UICollectionViewLayout {
  /// The size of an item in points, where the delegate gives none; 50 by 50 by default.
  open var itemSize = CGSize(width: 50, height: 50) { didSet { invalidateLayout() } }
  /// The minimum space between items of a line, in points; 10 by default.
  open var minimumInteritemSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
  /// The space between lines, in points; 10 by default.
  open var minimumLineSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
  /// Distances from the edges of a section to its items.
  open var sectionInset = UIEdgeInsets.zero { didSet { invalidateLayout() } }
  /// The size of headers. Sections have none where it is zero; otherwise the renderer chooses it.
  open var headerReferenceSize = CGSize.zero { didSet { invalidateLayout() } }
  /// The size of footers. Sections have none where it is zero; otherwise the renderer chooses it.
  open var footerReferenceSize = CGSize.zero { didSet { invalidateLayout() } }

  public override init() { super.init() }

  private var delegate: (any UICollectionViewDelegateFlowLayout)? {
    collectionView?.delegate as? any UICollectionViewDelegateFlowLayout
  }

  override func layout(ofSection section: Int) -> SectionLayout {
    let view = collectionView
    func ask<Value>(
      _ own: Value,
      _ question: (any UICollectionViewDelegateFlowLayout, UICollectionView) -> Value
    ) -> Value {
      guard let view, let delegate else { return own }
      return question(delegate, view)
    }
    let first = IndexPath(item: 0, section: section)
    let size = ask(itemSize) { $0.collectionView($1, layout: self, sizeForItemAt: first) }
    let spacing = ask(minimumInteritemSpacing) {
      $0.collectionView($1, layout: self, minimumInteritemSpacingForSectionAt: section)
    }
    let lines = ask(minimumLineSpacing) {
      $0.collectionView($1, layout: self, minimumLineSpacingForSectionAt: section)
    }
    let insets = ask(sectionInset) {
      $0.collectionView($1, layout: self, insetForSectionAt: section)
    }
    let header = ask(headerReferenceSize) {
      $0.collectionView($1, layout: self, referenceSizeForHeaderInSection: section)
    }
    let footer = ask(footerReferenceSize) {
      $0.collectionView($1, layout: self, referenceSizeForFooterInSection: section)
    }
    return SectionLayout(
      grid: ListGrid(
        pattern: .columns(
          least: Double(size.width), height: .points(Double(size.height)),
          spacing: Double(spacing), insets: .zero),
        spacing: Double(lines), insets: ListGrid.Insets(insets)),
      hasHeader: header != .zero, hasFooter: footer != .zero)
  }
}

/// Supplies sizes by section. The default of every method is the layout's own property.
///
/// Source: UIKit, `UICollectionViewDelegateFlowLayout`.
@MainActor
public protocol UICollectionViewDelegateFlowLayout: UICollectionViewDelegate {
  /// The size of an item. Called for the first item of a section alone, whose size all others get.
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize
  /// The distances from the edges of a section to its items.
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    insetForSectionAt section: Int
  ) -> UIEdgeInsets
  /// The space between the lines of a section, in points.
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumLineSpacingForSectionAt section: Int
  ) -> CGFloat
  /// The minimum space between the items of a line, in points.
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumInteritemSpacingForSectionAt section: Int
  ) -> CGFloat
  /// The size of a section's header; zero for none.
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize
  /// The size of a section's footer; zero for none.
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForFooterInSection section: Int
  ) -> CGSize
}

extension UICollectionViewDelegateFlowLayout {
  private func flow(_ layout: UICollectionViewLayout) -> UICollectionViewFlowLayout {
    layout as? UICollectionViewFlowLayout ?? UICollectionViewFlowLayout()
  }

  /// Returns the layout's `sectionInset`.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    insetForSectionAt section: Int
  ) -> UIEdgeInsets { flow(collectionViewLayout).sectionInset }
  /// Returns the layout's `itemSize`.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize { flow(collectionViewLayout).itemSize }
  /// Returns the layout's `minimumLineSpacing`.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumLineSpacingForSectionAt section: Int
  ) -> CGFloat { flow(collectionViewLayout).minimumLineSpacing }
  /// Returns the layout's `minimumInteritemSpacing`.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumInteritemSpacingForSectionAt section: Int
  ) -> CGFloat { flow(collectionViewLayout).minimumInteritemSpacing }
  /// Returns the layout's `headerReferenceSize`.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize { flow(collectionViewLayout).headerReferenceSize }
  /// Returns the layout's `footerReferenceSize`.
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForFooterInSection section: Int
  ) -> CGSize { flow(collectionViewLayout).footerReferenceSize }
}
