import Foundation
import ListSnapshots

/// Items of one size, as many side by side as fit.
///
/// Source: UIKit, `UICollectionViewFlowLayout`. The items of a section have the size of its first
/// one, and fill the width together; lines run from top to bottom.
open class UICollectionViewFlowLayout: UICollectionViewLayout {
  open var itemSize = CGSize(width: 50, height: 50) { didSet { invalidateLayout() } }
  open var minimumInteritemSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
  open var minimumLineSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
  open var sectionInset = UIEdgeInsets.zero { didSet { invalidateLayout() } }
  open var headerReferenceSize = CGSize.zero { didSet { invalidateLayout() } }
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

/// Says sizes by section, where they are not the layout's own; every method has that for default.
///
/// Source: UIKit, `UICollectionViewDelegateFlowLayout`.
@MainActor
public protocol UICollectionViewDelegateFlowLayout: UICollectionViewDelegate {
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    insetForSectionAt section: Int
  ) -> UIEdgeInsets
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumLineSpacingForSectionAt section: Int
  ) -> CGFloat
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumInteritemSpacingForSectionAt section: Int
  ) -> CGFloat
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForFooterInSection section: Int
  ) -> CGSize
}

extension UICollectionViewDelegateFlowLayout {
  private func flow(_ layout: UICollectionViewLayout) -> UICollectionViewFlowLayout {
    layout as? UICollectionViewFlowLayout ?? UICollectionViewFlowLayout()
  }

  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    insetForSectionAt section: Int
  ) -> UIEdgeInsets { flow(collectionViewLayout).sectionInset }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize { flow(collectionViewLayout).itemSize }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumLineSpacingForSectionAt section: Int
  ) -> CGFloat { flow(collectionViewLayout).minimumLineSpacing }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumInteritemSpacingForSectionAt section: Int
  ) -> CGFloat { flow(collectionViewLayout).minimumInteritemSpacing }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize { flow(collectionViewLayout).headerReferenceSize }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForFooterInSection section: Int
  ) -> CGSize { flow(collectionViewLayout).footerReferenceSize }
}
