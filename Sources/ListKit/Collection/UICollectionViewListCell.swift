import Foundation

/// A cell of a collection that is a list, with accessories; a header or a footer of it, too.
///
/// Source: UIKit, `UICollectionViewListCell`.
open class UICollectionViewListCell: UICollectionViewCell {
  /// What stands before and after the content. Drawn in the order in which it is given.
  open var accessories: [UICellAccessory] = [] {
    didSet {
      for view in oldValue.compactMap(\.view) { view.removeFromSuperview() }
      for view in accessories.compactMap(\.view) { addSubview(view) }
      for accessory in accessories { accessory.cell = self }
      setNeedsDisplay()
    }
  }

  /// How deep the item stands. The place in a section snapshot sets it.
  open var indentationLevel = 0 {
    didSet { if indentationLevel != oldValue { setNeedsDisplay() } }
  }

  /// Set by the collection.
  var outlinePlace: OutlinePlace? {
    didSet {
      guard outlinePlace != oldValue else { return }
      indentationLevel = outlinePlace?.level ?? 0
      isExpanded = outlinePlace?.isExpanded ?? false
      setNeedsDisplay()
    }
  }

  open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }

  // MARK: What a collection asks

  private var shown: [UICellAccessory] { accessories.filter { $0.isShown(isEditing: isEditing) } }

  override package var accessory: RowContent.Accessory {
    shown.lazy.compactMap(\.sign).first ?? .none
  }
  /// An accessory to reorder says when the grip is there; without one it is.
  override package var hasGrip: Bool {
    let grips = accessories.filter(\.isReorder)
    return grips.isEmpty || grips.contains { $0.isShown(isEditing: isEditing) }
  }
  var outlineDisclosure: UICellAccessory.OutlineDisclosure? {
    outlinePlace == nil ? nil : shown.lazy.compactMap(\.outlineDisclosure).first
  }
  override var indentation: Int { indentationLevel }
  override var outline: RowContent.Outline? {
    outlinePlace.map { place in
      RowContent.Outline(
        isExpanded: outlineDisclosure == nil ? nil : place.isExpanded,
        isChosenToToggle: outlineDisclosure?.style == .header)
    }
  }
  override var leadingAccessories: [UIView] {
    shown.filter(\.isLeading).compactMap(\.view)
  }
  override var trailingAccessories: [UIView] {
    shown.filter { !$0.isLeading }.compactMap(\.view)
  }
}
