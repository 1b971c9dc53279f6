import Foundation
import ListSnapshots
import Testing

@testable import ListKit

/// A collection view shares its engine with tables; its words, cells, choices and layouts are its
/// own.
@MainActor
@Suite struct CollectionTests {
  private func path(_ item: Int, _ section: Int = 0) -> IndexPath {
    IndexPath(item: item, section: section)
  }

  private func inconsistency(
    _ before: [[String]], _ after: [[String]], _ update: @escaping (UICollectionView) -> Void
  ) -> String {
    let shown = ShownCollection(before)
    var reported: [String] = []
    UICollectionView.inconsistencyHandler = { reported.append($0.description) }
    defer { UICollectionView.inconsistencyHandler = nil }
    shown.source.sections = after
    shown.view.performBatchUpdates { update(shown.view) }
    #expect(reported.count == 1)
    #expect(shown.titles == after.flatMap(\.self))
    return reported.first ?? ""
  }

  @Test func countsThatDoNotAddUpAreToldInTheWordsOfCollections() {
    let items = inconsistency([["a", "b"]], [["a"]]) { $0.insertItems(at: [path(0)]) }
    #expect(
      items.hasPrefix(
        """
        Invalid update: invalid number of items in section 0.  The number of items contained in an \
        existing section after the update (1) must be equal to the number of items contained in \
        that section before the update (2), plus or minus the number of items inserted or deleted \
        from that section (1 inserted, 0 deleted) and plus or minus the number of items moved into \
        or out of that section (0 moved in, 0 moved out).
        """))
    #expect(items.contains("item counts: [2]") && items.contains("Insert item (0 - 0)"))
    let sections = inconsistency([["a"]], [["a"], ["b"]]) { _ in }
    #expect(sections.contains("contained in the collection view after the update (2)"))
    let gone = inconsistency([["a"]], [[]]) { $0.deleteItems(at: [path(3)]) }
    #expect(
      gone.hasPrefix(
        "attempt to delete item 3 from section 0 which only contains 1 items before the update"))
  }

  @Test func onlyTheItemsOfTheWindowAreAskedForCells() {
    let shown = ShownCollection([(0..<1_000_000).map { "Item \($0)" }], count: 60)
    #expect(shown.source.cellsAskedFor == 60)
    _ = shown.view.showRows(from: 500_000, count: 60)
    #expect(shown.source.cellsAskedFor == 120)
    #expect(shown.titles.first == "Item 500000")
    shown.source.sections[0].insert("New", at: 0)
    shown.view.insertItems(at: [path(0)])
    #expect(shown.source.cellsAskedFor <= 121)
  }

  @Test func movesKeepTheCellAndReconfiguringKeepsWhatSaysTheSame() {
    let shown = ShownCollection([["a", "b", "c"]])
    let cell = shown.view.cellForItem(at: path(0))
    shown.source.sections[0] = ["b", "c", "a"]
    shown.view.moveItem(at: path(0), to: path(2))
    #expect(shown.view.cellForItem(at: path(2)) === cell)
    #expect(shown.view.indexPath(for: cell!) == path(2))
    shown.view.reconfigureItems(at: [path(0)])
    #expect(shown.renderer.changes.last?.reloaded == [])
    shown.source.sections[0][0] = "B"
    shown.view.reconfigureItems(at: [path(0)])
    #expect(shown.renderer.changes.last?.reloaded.count == 1)
    #expect(shown.titles == ["B", "c", "a"])
  }

  @Test func aCellIsUsedAgainUnderItsRegistration() {
    let shown = ShownCollection([(0..<200).map(String.init)], count: 20)
    let cells = Set(shown.view.visibleCells.map(ObjectIdentifier.init))
    _ = shown.view.showRows(from: 100, count: 20)
    #expect(Set(shown.view.visibleCells.map(ObjectIdentifier.init)) == cells)
  }

  @Test func choosingTellsTheDelegateInItsOrder() {
    let shown = ShownCollection([["a", "b"]])
    let delegate = NotingDelegate()
    shown.view.delegate = delegate
    shown.view.choose(path(0))
    shown.view.choose(path(1))
    #expect(delegate.notes == ["select 0", "deselect 0", "select 1"])
    delegate.refused = 0
    shown.view.choose(path(0))
    #expect(shown.view.indexPathsForSelectedItems == [path(1)])
    shown.view.allowsMultipleSelection = true
    delegate.refused = nil
    shown.view.choose(path(0))
    shown.view.choose(path(1))
    #expect(shown.view.indexPathsForSelectedItems == [path(0)])
  }

  @Test func headersAreTheTextsOfSupplementaryViewsWhereTheLayoutHasThem() {
    let shown = ShownCollection([["a"], ["b"]])
    #expect(shown.view.headerTitle(inSection: 0) == nil)
    var configuration = UICollectionLayoutListConfiguration(appearance: .insetGrouped)
    configuration.headerMode = .supplementary
    configuration.footerMode = .supplementary
    shown.view.collectionViewLayout = UICollectionViewCompositionalLayout.list(
      using: configuration)
    #expect(shown.view.headerTitle(inSection: 1) == "header of 1")
    #expect(shown.view.footerTitle(inSection: 0) == "footer of 0")
    #expect(shown.view.isForm)
    // One view serves all headers.
    for section in 0..<2 { _ = shown.view.headerTitle(inSection: section) }
    #expect(shown.source.headersMade == 1)
  }

  @Test func aListOffersWhatItsConfigurationSays() {
    let shown = ShownCollection([["a"]])
    var configuration = UICollectionLayoutListConfiguration(appearance: .plain)
    var done: [String] = []
    func provider(_ title: String)
      -> UICollectionLayoutListConfiguration
      .SwipeActionsConfigurationProvider
    {
      { path in
        UISwipeActionsConfiguration(actions: [
          UIContextualAction(style: .normal, title: title) { _, _, _ in
            done.append("\(title) \(path.item)")
          }
        ])
      }
    }
    configuration.trailingSwipeActionsConfigurationProvider = provider("Archive")
    configuration.leadingSwipeActionsConfigurationProvider = provider("Mark")
    shown.view.collectionViewLayout = UICollectionViewCompositionalLayout.list(
      using: configuration)
    for action in shown.view.leadingActions(at: path(0)) + shown.view.trailingActions(at: path(0)) {
      shown.view.perform(action, at: path(0))
    }
    #expect(done == ["Mark 0", "Archive 0"])
  }

  @Test func accessoriesAreShownByTheStateOfEditing() {
    let cell = UICollectionViewListCell(frame: .zero)
    let isOn = UISwitch()
    cell.accessories = [
      .label(text: "7"), .disclosureIndicator(displayed: .whenNotEditing),
      .checkmark(displayed: .whenEditing), .reorder(),
      .customView(configuration: .init(customView: isOn, placement: .leading())),
    ]
    #expect(cell.rowContent.badge == "7")
    #expect(cell.rowContent.accessory == .disclosure)
    #expect(cell.leadingControls.first === isOn)
    #expect(!cell.hasGrip)
    cell.isEditing = true
    #expect(cell.rowContent.accessory == .checkmark)
    #expect(cell.hasGrip)
  }
}

/// A collection in a window, with cells for `count` items.
@MainActor
final class ShownCollection {
  let view = UICollectionView(
    frame: .zero,
    collectionViewLayout: UICollectionViewCompositionalLayout.list(
      using: UICollectionLayoutListConfiguration(appearance: .plain)))
  let source: CollectionSource
  let renderer = RecordingRenderer()
  private let window = UIWindow(frame: .zero)

  init(_ sections: [[String]], count: Int = 100) {
    source = CollectionSource(sections)
    view.dataSource = source
    window.renderer = renderer
    window.addSubview(view)
    renderer.replay(view.showRows(from: 0, count: count))
  }

  var titles: [String] { view.rows.map(\.cell.rowContent.title) }
}

@MainActor
final class CollectionSource: UICollectionViewDataSource {
  var sections: [[String]]
  var cellsAskedFor = 0
  var headersMade = 0

  init(_ sections: [[String]]) { self.sections = sections }

  private let cells = UICollectionView.CellRegistration<UICollectionViewListCell, String> {
    cell, _, title in
    var content = cell.defaultContentConfiguration()
    content.text = title
    cell.contentConfiguration = content
  }
  private lazy var headers = texts(UICollectionView.elementKindSectionHeader, "header")
  private lazy var footers = texts(UICollectionView.elementKindSectionFooter, "footer")

  private func texts(_ kind: String, _ name: String)
    -> UICollectionView.SupplementaryRegistration<LabelView>
  {
    UICollectionView.SupplementaryRegistration(elementKind: kind) { view, _, path in
      if view.label.text == nil, name == "header" { self.headersMade += 1 }
      view.label.text = "\(name) of \(path.section)"
    }
  }

  func numberOfSections(in collectionView: UICollectionView) -> Int { sections.count }
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  { sections[section].count }
  func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  {
    cellsAskedFor += 1
    return collectionView.dequeueConfiguredReusableCell(
      using: cells, for: indexPath, item: sections[indexPath.section][indexPath.item])
  }
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    let isHeader = kind == UICollectionView.elementKindSectionHeader
    return collectionView.dequeueConfiguredReusableSupplementary(
      using: isHeader ? headers : footers, for: indexPath)
  }
}

/// A header as it was written before configurations.
final class LabelView: UICollectionReusableView {
  let label = UILabel()

  override init(frame: CGRect) {
    super.init(frame: frame)
    addSubview(label)
  }

  required init?(coder: NSCoder) { nil }
}

private final class NotingDelegate: UICollectionViewDelegate {
  var notes: [String] = []
  var refused: Int?

  func collectionView(_ view: UICollectionView, shouldSelectItemAt path: IndexPath) -> Bool {
    path.item != refused
  }
  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
    notes.append("select \(indexPath.item)")
  }
  func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
    notes.append("deselect \(indexPath.item)")
  }
}
