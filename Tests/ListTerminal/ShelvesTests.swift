import Foundation
import ListKit
import ListSnapshots
import Testing

@testable import ListTerminal

/// Groups within groups, and sections that scroll sideways, in a terminal.
@MainActor
struct ShelvesTests {
  private func position(_ text: String, _ terminal: TestTerminal) -> (x: Int, y: Int)? {
    for (y, line) in terminal.lines.enumerated() {
      guard let range = line.range(of: text) else { continue }
      return (line.distance(from: line.startIndex, to: range.lowerBound), y)
    }
    return nil
  }

  @Test func aPatternOfALargeTileAndTwoSmallOnes() throws {
    let controller = ShelvesController([6], isSideways: false, group: ShelvesController.mosaic)
    let terminal = TestTerminal(controller)
    let first = try (0..<6).map { try #require(position("Tile 0.\($0)", terminal)) }
    #expect(first[1].y == first[0].y && first[2].y == first[0].y + 1)
    #expect(first[1].x == first[2].x && first[1].x > first[0].x + 30)
    #expect(first[3].y == first[0].y + 2 && first[3].x == first[0].x)
    func press(_ key: KeyPress) -> String {
      terminal.press(key, .plain(.enter))
      return controller.chosen.last ?? ""
    }
    #expect(press(.plain(.right)) == "Tile 0.1")
    #expect(press(.plain(.down)) == "Tile 0.2")
    #expect(press(.plain(.down)) == "Tile 0.4")
    #expect(press(.plain(.down)) == "Tile 0.5")
    #expect(press(.plain(.left)) == "Tile 0.4")
    #expect(press(.plain(.up)) == "Tile 0.2")
    #expect(press(.plain(.home)) == "Tile 0.0")
    #expect(press(.plain(.down)) == "Tile 0.3")
  }

  @Test func aNarrowTerminalHasThePatternOneBelowTheOther() throws {
    let controller = ShelvesController([3], isSideways: false, group: ShelvesController.mosaic)
    let terminal = TestTerminal(controller, columns: 24)
    let all = try (0..<3).map { try #require(position("Tile 0.\($0)", terminal)) }
    #expect(all.map(\.y) == [all[0].y, all[0].y + 1, all[0].y + 2])
    #expect(Set(all.map(\.x)).count == 1)
  }

  @Test func aShelfMovesWithTheCurrentRow() throws {
    let controller = ShelvesController([20, 20], isSideways: true)
    let terminal = TestTerminal(controller)
    func shown(_ section: Int) -> [Int] {
      (0..<20).filter { tile in
        terminal.lines.contains { "\($0) ".contains("Tile \(section).\(tile) ") }
      }
    }
    // Each is 20 characters wide.
    #expect(shown(0) == [0, 1, 2] && shown(1) == [0, 1, 2])
    #expect(terminal.lines.contains { $0.contains("Tile 0.2") && $0.hasSuffix("›") })
    for _ in 0..<4 { terminal.press(.plain(.right)) }
    #expect(shown(0) == [2, 3, 4] && shown(1) == [0, 1, 2])
    #expect(terminal.currentLine?.contains("Tile 0.4") == true)
    terminal.press(.plain(.down), .plain(.enter))
    #expect(controller.chosen.last == "Tile 1.2")
    #expect(shown(0) == [2, 3, 4])
    terminal.press(.plain(.left), .plain(.left), .plain(.up), .plain(.enter))
    #expect(controller.chosen.last == "Tile 0.2")
    terminal.press(.plain(.end))
    #expect(shown(1) == [17, 18, 19])
    terminal.click("Tile 1.18")
    #expect(controller.chosen.last == "Tile 1.18")
  }

  @Test func aVeryLongShelfIsAskedForInPart() {
    let controller = ShelvesController([3, 100_000, 3], isSideways: true)
    let terminal = TestTerminal(controller)
    #expect(controller.cellsAskedFor < 3_000)
    controller.cellsAskedFor = 0
    terminal.press(.plain(.end))
    #expect(position("Tile 2.2", terminal) != nil)
    terminal.press(.plain(.up))
    #expect(terminal.currentLine?.contains("Tile 1.2") == true)
    #expect(controller.cellsAskedFor < 5_000)
  }
}

/// Sections of so many tiles, laid out alike.
private final class ShelvesController: UICollectionViewController {
  private let counts: [Int]
  var chosen: [String] = []
  var cellsAskedFor = 0

  private let cells = UICollectionView.CellRegistration<UICollectionViewListCell, String> {
    cell, _, title in
    var content = cell.defaultContentConfiguration()
    content.text = title
    cell.contentConfiguration = content
  }

  init(_ counts: [Int], isSideways: Bool, group: NSCollectionLayoutGroup = tile) {
    self.counts = counts
    let section = NSCollectionLayoutSection(group: group)
    if isSideways { section.orthogonalScrollingBehavior = .continuous }
    super.init(collectionViewLayout: UICollectionViewCompositionalLayout(section: section))
    title = "Shelves"
  }

  required init?(coder: NSCoder) { nil }

  private static func size(
    _ width: NSCollectionLayoutDimension, _ height: NSCollectionLayoutDimension
  ) -> NSCollectionLayoutSize {
    NSCollectionLayoutSize(widthDimension: width, heightDimension: height)
  }

  static var tile: NSCollectionLayoutGroup {
    .horizontal(
      layoutSize: size(.absolute(160), .absolute(60)),
      subitems: [
        NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
      ])
  }

  /// A large tile beside two small ones.
  static var mosaic: NSCollectionLayoutGroup {
    let item = NSCollectionLayoutItem(
      layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
    let small = NSCollectionLayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(0.3), .fractionalHeight(1)), repeatingSubitem: item,
      count: 2)
    let large = NSCollectionLayoutItem(
      layoutSize: size(.fractionalWidth(0.7), .fractionalHeight(1)))
    return .horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(200)), subitems: [large, small])
  }

  override func numberOfSections(in collectionView: UICollectionView) -> Int { counts.count }
  override func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { counts[section] }
  override func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    cellsAskedFor += 1
    return collectionView.dequeueConfiguredReusableCell(
      using: cells, for: indexPath, item: "Tile \(indexPath.section).\(indexPath.item)")
  }

  override func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) { chosen.append("Tile \(indexPath.section).\(indexPath.item)") }
}
