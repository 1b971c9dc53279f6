import Foundation

/// One item of a group.
///
/// Source: UIKit, `NSCollectionLayoutItem`. Insets are the renderer's: say the space between items
/// by the group's `interItemSpacing` and the section's `interGroupSpacing`.
@MainActor
open class NSCollectionLayoutItem {
  public let layoutSize: NSCollectionLayoutSize

  public init(layoutSize: NSCollectionLayoutSize) { self.layoutSize = layoutSize }
}

/// A line of items, which is repeated.
///
/// Source: UIKit, `NSCollectionLayoutGroup`. Groups within groups are not there, so a group is no
/// item.
@MainActor
open class NSCollectionLayoutGroup {
  public let layoutSize: NSCollectionLayoutSize
  public let subitems: [NSCollectionLayoutItem]
  /// The space between items in a line.
  open var interItemSpacing: NSCollectionLayoutSpacing?
  /// How many items are in a line; `nil` for as many as their widths have room for.
  private let count: Int?
  private let isHorizontal: Bool

  private init(
    _ size: NSCollectionLayoutSize, _ items: [NSCollectionLayoutItem], count: Int?,
    isHorizontal: Bool
  ) {
    precondition(!items.isEmpty && count ?? 1 > 0, "A group has at least one item")
    layoutSize = size
    subitems = items
    self.count = count
    self.isHorizontal = isHorizontal
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

  /// Items one below the other.
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

  // MARK: As a grid

  func grid(lineSpacing: CGFloat) -> ListGrid {
    let spacing = Double(interItemSpacing?.spacing ?? 0)
    return ListGrid(
      columns: columns, height: height, itemSpacing: isHorizontal ? spacing : 0,
      lineSpacing: isHorizontal ? Double(lineSpacing) : max(Double(lineSpacing), spacing))
  }

  private var columns: ListGrid.Columns {
    guard isHorizontal else { return .shares([1]) }
    if let count { return .shares(Array(repeating: 1, count: count)) }
    let widths = subitems.map(\.layoutSize.widthDimension)
    guard widths.allSatisfy(\.isFractionalWidth) else {
      return .width(widths.map { $0.isFractionalWidth ? 0 : Double($0.dimension) }.max() ?? 0)
    }
    let shares = widths.map { max(0.01, Double($0.dimension)) }
    // A third three times is a whole line, whatever was lost in dividing.
    let rounds = max(1, Int(1 / shares.reduce(0, +) + 0.001))
    return .shares((0..<rounds).flatMap { _ in shares })
  }

  /// The height of a line: the group's, unless the items of a vertical group share that.
  private var height: ListGrid.Length {
    let group = Self.length(layoutSize.heightDimension)
    if isHorizontal {
      let item = subitems[0].layoutSize.heightDimension
      return item.isFractionalHeight ? group.times(Double(item.dimension)) : Self.length(item)
    }
    if let count { return group.times(1 / Double(count)) }
    let item = subitems[0].layoutSize.heightDimension
    return item.isFractionalHeight ? group.times(Double(item.dimension)) : Self.length(item)
  }

  private static func length(_ dimension: NSCollectionLayoutDimension) -> ListGrid.Length {
    let value = Double(dimension.dimension)
    switch dimension.kind {
    case .absolute, .estimated: return .points(value)
    case .fractionalWidth: return .widthShare(value)
    case .fractionalHeight: return .heightShare(value)
    }
  }
}

extension ListGrid.Length {
  fileprivate func times(_ factor: Double) -> Self {
    switch self {
    case .points(let points): .points(points * factor)
    case .widthShare(let share): .widthShare(share * factor)
    case .heightShare(let share): .heightShare(share * factor)
    }
  }
}

/// A header or a footer of a section.
///
/// Source: UIKit, `NSCollectionLayoutBoundarySupplementaryItem`.
@MainActor
open class NSCollectionLayoutBoundarySupplementaryItem {
  public enum Alignment: Sendable { case top, bottom }

  public let elementKind: String
  public let alignment: Alignment
  /// Headers stay in sight in any case.
  open var pinToVisibleBounds = false

  public init(
    layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: Alignment
  ) {
    self.elementKind = elementKind
    self.alignment = alignment
  }
}

/// A section of a compositional layout: a group that is repeated, or a list.
///
/// Source: UIKit, `NSCollectionLayoutSection`. Insets are the renderer's; sections that scroll
/// sideways are not there.
@MainActor
open class NSCollectionLayoutSection {
  private let group: NSCollectionLayoutGroup?
  private let list: UICollectionLayoutListConfiguration?
  /// The space between lines.
  open var interGroupSpacing: CGFloat = 0
  /// Headers and footers, by UIKit's kinds for sections.
  open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []

  public init(group: NSCollectionLayoutGroup) {
    self.group = group
    list = nil
  }

  init(list: UICollectionLayoutListConfiguration) {
    group = nil
    self.list = list
  }

  public static func list(
    using configuration: UICollectionLayoutListConfiguration,
    layoutEnvironment: any NSCollectionLayoutEnvironment
  ) -> NSCollectionLayoutSection { NSCollectionLayoutSection(list: configuration) }

  var layout: SectionLayout {
    var layout = list?.section ?? SectionLayout()
    layout.grid = group?.grid(lineSpacing: interGroupSpacing)
    let kinds = boundarySupplementaryItems.map(\.elementKind)
    if kinds.contains(UICollectionView.elementKindSectionHeader) { layout.hasHeader = true }
    if kinds.contains(UICollectionView.elementKindSectionFooter) { layout.hasFooter = true }
    return layout
  }
}
