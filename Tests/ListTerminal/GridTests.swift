import Foundation
import ListKit
import ListSnapshots
import Testing

@testable import ListTerminal

/// A collection in a terminal: a list, or as many columns as there is room for.
@MainActor
struct GridTests {
  private let names = (1...100).map { "Tile \($0)" }

  @Test func tilesStandSideBySide() {
    let terminal = TestTerminal(TilesController(["Fruit": names]))
    let lines = terminal.lines.filter { $0.contains("Tile") }
    #expect(lines[0].contains("Tile 1 ") && lines[0].contains("Tile 2 "))
    #expect(lines[0].contains("Tile 3") && !lines[0].contains("Tile 4"))
    #expect(lines[1].contains("Tile 4") && lines[1].contains("Tile 6"))
    #expect(terminal.lines.contains { $0.hasPrefix(" Fruit ─") })
  }

  @Test func aNarrowTerminalHasFewerColumns() {
    let terminal = TestTerminal(TilesController(["Fruit": names]), columns: 24)
    let lines = terminal.lines.filter { $0.contains("Tile") }
    #expect(lines[0].contains("Tile 2") && !lines[0].contains("Tile 3"))
    terminal.resize(columns: 80, rows: 20)
    #expect(terminal.lines.contains { $0.contains("Tile 1 ") && $0.contains("Tile 3") })
  }

  @Test func theArrowsGoInAllFourDirections() {
    let controller = TilesController(["Fruit": Array(names.prefix(8)), "Garden": ["A", "B", "C"]])
    let terminal = TestTerminal(controller)
    func press(_ key: KeyPress) -> String {
      terminal.press(key, .plain(.enter))
      return controller.chosen.last ?? ""
    }
    #expect(press(.plain(.right)) == "Tile 2")
    #expect(press(.plain(.down)) == "Tile 5")
    #expect(press(.plain(.down)) == "Tile 8")
    #expect(press(.plain(.down)) == "B")
    #expect(press(.plain(.right)) == "C")
    // There is no third tile in the line above.
    #expect(press(.plain(.up)) == "Tile 8")
    #expect(press(.plain(.left)) == "Tile 7")
    #expect(press(.plain(.home)) == "Tile 1")
  }

  @Test func aClickChoosesTheTileUnderIt() {
    let controller = TilesController(["Fruit": names])
    let terminal = TestTerminal(controller)
    terminal.click("Tile 5")
    #expect(controller.chosen == ["Tile 5"])
  }

  @Test func onlyWhatIsSeenIsAskedFor() {
    let controller = TilesController(["Fruit": (1...1_000_000).map { "Tile \($0)" }])
    let terminal = TestTerminal(controller)
    controller.cellsAskedFor = 0
    terminal.press(.plain(.end))
    #expect(terminal.text.contains("Tile 1000000"))
    #expect(controller.cellsAskedFor <= 200)
    terminal.press(.plain(.up), .plain(.up))
    #expect(terminal.text.contains("Tile 999994"))
  }

  @Test func tilesComeAndGoWhileTheyAreSeen() {
    let controller = TilesController(["Fruit": ["A", "B", "C", "D"]])
    let terminal = TestTerminal(controller)
    terminal.press(.plain(.right))
    controller.insert("New", at: 0)
    terminal.session.flush()
    let lines = terminal.lines.filter { $0.contains("A") || $0.contains("D") }
    #expect(lines.first?.contains("New") == true && lines.first?.contains("B") == true)
    terminal.press(.plain(.enter))
    #expect(controller.chosen == ["B"])
  }

  @Test func anotherLayoutMakesAListOfThem() {
    let controller = TilesController(["Fruit": names])
    let terminal = TestTerminal(controller)
    controller.collectionView.setCollectionViewLayout(
      UICollectionViewCompositionalLayout.list(
        using: UICollectionLayoutListConfiguration(appearance: .plain)), animated: false)
    terminal.session.flush()
    let lines = terminal.lines.filter { $0.contains("Tile") }
    #expect(lines[0].contains("Tile 1") && !lines[0].contains("Tile 2"))
    #expect(!terminal.text.contains("Fruit"))
  }
}

/// Titles as tiles, three in a line, in sections with headers.
private final class TilesController: UICollectionViewController {
  private let names: [String]
  private var sections: [[String]]
  var chosen: [String] = []
  var cellsAskedFor = 0

  private let cells = UICollectionView.CellRegistration<UICollectionViewListCell, String> {
    cell, _, title in
    var content = cell.defaultContentConfiguration()
    content.text = title
    cell.contentConfiguration = content
  }
  private let headers = UICollectionView.SupplementaryRegistration<UICollectionViewListCell>(
    elementKind: UICollectionView.elementKindSectionHeader
  ) { _, _, _ in }

  init(_ sections: KeyValuePairs<String, [String]>) {
    names = sections.map(\.key)
    self.sections = sections.map(\.value)
    let item = NSCollectionLayoutItem(
      layoutSize: NSCollectionLayoutSize(
        widthDimension: .fractionalWidth(1 / 3), heightDimension: .fractionalHeight(1)))
    let whole = NSCollectionLayoutSize(
      widthDimension: .fractionalWidth(1), heightDimension: .absolute(80))
    let section = NSCollectionLayoutSection(
      group: .horizontal(layoutSize: whole, subitems: [item]))
    section.boundarySupplementaryItems = [
      NSCollectionLayoutBoundarySupplementaryItem(
        layoutSize: whole, elementKind: UICollectionView.elementKindSectionHeader,
        alignment: .top)
    ]
    super.init(collectionViewLayout: UICollectionViewCompositionalLayout(section: section))
    title = "Shelf"
  }

  required init?(coder: NSCoder) { nil }

  func insert(_ title: String, at item: Int) {
    sections[0].insert(title, at: item)
    collectionView.insertItems(at: [IndexPath(item: item, section: 0)])
  }

  override func numberOfSections(in collectionView: UICollectionView) -> Int { sections.count }
  override func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { sections[section].count }

  override func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    cellsAskedFor += 1
    return collectionView.dequeueConfiguredReusableCell(
      using: cells, for: indexPath, item: sections[indexPath.section][indexPath.item])
  }

  override func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    let header = collectionView.dequeueConfiguredReusableSupplementary(
      using: headers, for: indexPath)
    var content = UIListContentConfiguration.plainHeader()
    content.text = names[indexPath.section]
    header.contentConfiguration = content
    return header
  }

  override func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) { chosen.append(sections[indexPath.section][indexPath.item]) }
}
