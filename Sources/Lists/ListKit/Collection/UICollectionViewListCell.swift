import Foundation

/// A cell of a list in a collection, with accessories. It can also be a section's header or footer.
///
/// Source: UIKit, `UICollectionViewListCell`.
open class UICollectionViewListCell: UICollectionViewCell {
  /// The accessories before and after the content, drawn in this order at each edge.
  open var accessories: [UICellAccessory] = [] {
    didSet {
      for view in oldValue.compactMap(\.view) { view.removeFromSuperview() }
      for view in accessories.compactMap(\.view) { addSubview(view) }
      for accessory in accessories { accessory.cell = self }
      setNeedsDisplay()
    }
  }

  /// The indentation level. The collection sets it for an item of a section snapshot.
  open var indentationLevel = 0 {
    didSet { if indentationLevel != oldValue { setNeedsDisplay() } }
  }

  /// The item's position in its section's tree. Set by the collection.
  var outlinePlace: OutlinePlace? {
    didSet {
      guard outlinePlace != oldValue else { return }
      indentationLevel = outlinePlace?.level ?? 0
      isExpanded = outlinePlace?.isExpanded ?? false
      setNeedsDisplay()
    }
  }

  /// A list content configuration without texts: `.cell()`.
  open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }

  // MARK: Queries by the collection

  private var shown: [UICellAccessory] { accessories.filter { $0.isShown(isEditing: isEditing) } }

  override package var accessory: RowContent.Accessory {
    shown.lazy.compactMap(\.sign).first ?? .none
  }
  /// Whether the row shows a grip: as its reorder accessory says, or always without one.
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
