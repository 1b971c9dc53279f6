import Foundation

/// One item of a group, or a group as a part of another one.
///
/// Source: UIKit, `NSCollectionLayoutItem`. Space between items is set by the group's
/// `interItemSpacing` and the section's `interGroupSpacing`; `edgeSpacing` does not exist.
@MainActor
open class NSCollectionLayoutItem {
  /// The size of the item's slot, including `contentInsets`.
  public let layoutSize: NSCollectionLayoutSize
  /// Distances from the edges of the item's slot to the drawn cell.
  open var contentInsets = NSDirectionalEdgeInsets.zero

  /// Makes an item with a slot of this size.
  public init(layoutSize: NSCollectionLayoutSize) { self.layoutSize = layoutSize }

  /// The frames of the items inside a slot.
  func frames(in frame: ListGrid.Frame) -> [ListGrid.Frame] { [frame.inset(contentInsets)] }
}

/// Items and groups side by side, or one below the other, repeated together.
///
/// Source: UIKit, `NSCollectionLayoutGroup`. The space between items is subtracted before
/// fractional widths and heights are computed.
@MainActor
open class NSCollectionLayoutGroup: NSCollectionLayoutItem {
  /// The items of one round.
  public let subitems: [NSCollectionLayoutItem]
  /// The space between items; `nil` is none.
  open var interItemSpacing: NSCollectionLayoutSpacing?
  /// The number of items of equal size; `nil` for as many rounds of `subitems` as fit.
  private let count: Int?
  private let isHorizontal: Bool

  private init(
    _ size: NSCollectionLayoutSize, _ items: [NSCollectionLayoutItem], count: Int?,
    isHorizontal: Bool
  ) {
    precondition(!items.isEmpty && count ?? 1 > 0, "A group has at least one item")
    subitems = items
    self.count = count
    self.isHorizontal = isHorizontal
    super.init(layoutSize: size)
  }

  /// A group of items side by side, repeated as long as they fit in the width.
  public static func horizontal(
    layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, subitems, count: nil, isHorizontal: true)
  }

  /// A group of `count` items of equal width side by side.
  public static func horizontal(
    layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem,
    count: Int
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, [subitem], count: count, isHorizontal: true)
  }

  /// A group of items one below the other, repeated as long as they fit in the height.
  public static func vertical(
    layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, subitems, count: nil, isHorizontal: false)
  }

  /// A group of `count` items of equal height one below the other.
  public static func vertical(
    layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem,
    count: Int
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, [subitem], count: count, isHorizontal: false)
  }

  // MARK: As a pattern

  /// The pattern that a section repeats.
  var pattern: ListGrid.Pattern {
    let width = layoutSize.widthDimension.length(in: .all)
    let height = layoutSize.heightDimension.length(in: .all)
    if let columns = columns(height) { return columns }
    let whole = ListGrid.Frame(width: width, height: height)
    return .group(frames(in: whole), width: width, height: height)
  }

  /// The pattern for items with widths in points, in a width that only the renderer knows; `nil`
  /// for other groups.
  private func columns(_ height: ListGrid.Length) -> ListGrid.Pattern? {
    let widths = subitems.map(\.layoutSize.widthDimension)
    guard isHorizontal, count == nil, layoutSize.widthDimension.isFractional,
      widths.allSatisfy({ !$0.isFractional }),
      !subitems.contains(where: { $0 is NSCollectionLayoutGroup })
    else { return nil }
    let item = subitems[0]
    let inside = ListGrid.Frame(width: .widthShare(1), height: height)
    return .columns(
      least: widths.map { Double($0.dimension) }.max() ?? 0,
      height: item.layoutSize.heightDimension.length(in: inside), spacing: spacing,
      insets: ListGrid.Insets(item.contentInsets))
  }

  private var spacing: Double { Double(interItemSpacing?.spacing ?? 0) }

  override func frames(in frame: ListGrid.Frame) -> [ListGrid.Frame] {
    let inside = frame.inset(contentInsets)
    let items = repeated(in: inside)
    // The length along the group that fractional sizes refer to: without the gaps.
    let gaps = spacing * Double(items.count - 1)
    var room = inside
    if isHorizontal { room.width = room.width - gaps } else { room.height = room.height - gaps }
    var place = inside
    return items.flatMap { item -> [ListGrid.Frame] in
      place.width = item.layoutSize.widthDimension.length(in: room)
      place.height = item.layoutSize.heightDimension.length(in: room)
      if let count {
        // Equal sizes: `count` overrides the item's own size along the group.
        if isHorizontal {
          place.width = room.width * (1 / Double(count))
        } else {
          place.height = room.height * (1 / Double(count))
        }
      }
      defer {
        if isHorizontal {
          place.x = place.x + place.width + .points(spacing)
        } else {
          place.y = place.y + place.height + .points(spacing)
        }
      }
      return item.frames(in: place)
    }
  }

  /// The group's items: as many rounds of `subitems` as fit.
  private func repeated(in inside: ListGrid.Frame) -> [NSCollectionLayoutItem] {
    if let count { return Array(repeating: subitems[0], count: count) }
    let lengths = subitems.map {
      isHorizontal ? $0.layoutSize.widthDimension : $0.layoutSize.heightDimension
    }
    let rounds = max(1, min(Self.mostRounds, rounds(lengths, in: inside)))
    return (0..<rounds).flatMap { _ in subitems }
  }

  /// Upper bound of the rounds in one group.
  private static let mostRounds = 200

  private func rounds(
    _ lengths: [NSCollectionLayoutDimension], in inside: ListGrid.Frame
  ) -> Int {
    let sum = lengths.reduce(0) { $0 + Double($1.dimension) }
    guard sum > 0 else { return 1 }
    // Fractions of 1/3 fill a line with three items: rounding errors are compensated.
    let isShare =
      isHorizontal ? \NSCollectionLayoutDimension.isFractionalWidth : \.isFractionalHeight
    if lengths.allSatisfy({ $0[keyPath: isShare] }) { return rounds(1 / sum) }
    let along = isHorizontal ? inside.width : inside.height
    guard lengths.allSatisfy({ !$0.isFractional }), along.width == 0, along.height == 0 else {
      return 1
    }
    return rounds((along.points + spacing) / (sum + spacing * Double(lengths.count)))
  }

  private func rounds(_ number: Double) -> Int { Int(min(Double(Self.mostRounds), number + 0.001)) }
}

extension ListGrid.Frame {
  /// The visible area.
  fileprivate static let all = Self(width: .widthShare(1), height: .heightShare(1))

  func inset(_ insets: NSDirectionalEdgeInsets) -> Self {
    Self(
      x: x + .points(Double(insets.leading)), y: y + .points(Double(insets.top)),
      width: width - Double(insets.leading + insets.trailing),
      height: height - Double(insets.top + insets.bottom))
  }
}

extension ListGrid.Insets {
  init(_ insets: NSDirectionalEdgeInsets) {
    self.init(
      top: Double(insets.top), leading: Double(insets.leading), bottom: Double(insets.bottom),
      trailing: Double(insets.trailing))
  }
}

extension NSCollectionLayoutDimension {
  var isFractional: Bool { isFractionalWidth || isFractionalHeight }

  /// The length in points or as a share of the container's width or height.
  func length(in container: ListGrid.Frame) -> ListGrid.Length {
    let value = Double(dimension)
    if isFractionalWidth { return container.width * value }
    if isFractionalHeight { return container.height * value }
    return .points(value)
  }
}

extension ListGrid.Insets {
  init(_ insets: UIEdgeInsets) {
    self.init(
      top: Double(insets.top), leading: Double(insets.left), bottom: Double(insets.bottom),
      trailing: Double(insets.right))
  }
}
