import Foundation

/// One item of a group, or a group as a part of another one.
///
/// Source: UIKit, `NSCollectionLayoutItem`. Say the space between items by the group's
/// `interItemSpacing` and the section's `interGroupSpacing`; `edgeSpacing` is not there.
@MainActor
open class NSCollectionLayoutItem {
  public let layoutSize: NSCollectionLayoutSize
  /// Makes what is drawn so much smaller; its place keeps its size.
  open var contentInsets = NSDirectionalEdgeInsets.zero

  public init(layoutSize: NSCollectionLayoutSize) { self.layoutSize = layoutSize }

  /// The items in it, at their places.
  func frames(in frame: ListGrid.Frame) -> [ListGrid.Frame] { [frame.inset(contentInsets)] }
}

/// Items and groups side by side, or one below the other, which are repeated together.
///
/// Source: UIKit, `NSCollectionLayoutGroup`. The space between items is taken off before shares of
/// the width or the height are given out.
@MainActor
open class NSCollectionLayoutGroup: NSCollectionLayoutItem {
  public let subitems: [NSCollectionLayoutItem]
  /// The space between items.
  open var interItemSpacing: NSCollectionLayoutSpacing?
  /// How many items of one size there are; `nil` for as many as there is room for.
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

  /// Items side by side, again and again as long as there is room in the width.
  public static func horizontal(
    layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, subitems, count: nil, isHorizontal: true)
  }

  /// So many items of one width side by side.
  public static func horizontal(
    layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem,
    count: Int
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, [subitem], count: count, isHorizontal: true)
  }

  /// Items one below the other, again and again as long as there is room in the height.
  public static func vertical(
    layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, subitems, count: nil, isHorizontal: false)
  }

  /// So many items of one height one below the other.
  public static func vertical(
    layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem,
    count: Int
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, [subitem], count: count, isHorizontal: false)
  }

  // MARK: As a pattern

  /// What a section repeats.
  var pattern: ListGrid.Pattern {
    let width = layoutSize.widthDimension.length(in: .all)
    let height = layoutSize.heightDimension.length(in: .all)
    if let columns = columns(height) { return columns }
    let whole = ListGrid.Frame(width: width, height: height)
    return .group(frames(in: whole), width: width, height: height)
  }

  /// Items whose widths are points, in a width that is known only where it is drawn.
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
    // What is left for shares of the length along the group.
    let gaps = spacing * Double(items.count - 1)
    var room = inside
    if isHorizontal { room.width = room.width - gaps } else { room.height = room.height - gaps }
    var place = inside
    return items.flatMap { item -> [ListGrid.Frame] in
      place.width = item.layoutSize.widthDimension.length(in: room)
      place.height = item.layoutSize.heightDimension.length(in: room)
      if let count {
        // Of one size, whatever the item says.
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

  /// The items as often as there is room for all of them.
  private func repeated(in inside: ListGrid.Frame) -> [NSCollectionLayoutItem] {
    if let count { return Array(repeating: subitems[0], count: count) }
    let lengths = subitems.map {
      isHorizontal ? $0.layoutSize.widthDimension : $0.layoutSize.heightDimension
    }
    let rounds = max(1, min(Self.mostRounds, rounds(lengths, in: inside)))
    return (0..<rounds).flatMap { _ in subitems }
  }

  /// More items in one group than anybody can want.
  private static let mostRounds = 200

  private func rounds(
    _ lengths: [NSCollectionLayoutDimension], in inside: ListGrid.Frame
  ) -> Int {
    let sum = lengths.reduce(0) { $0 + Double($1.dimension) }
    guard sum > 0 else { return 1 }
    // A third three times is a whole line, whatever was lost in dividing.
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
  /// All that is seen.
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

  /// In what contains it.
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
