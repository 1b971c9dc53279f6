import Foundation
import ListSnapshots
import Testing
import TestSupport

@testable import ListKit

/// A collection that shows section snapshots: rows that stand under others, opened and closed.
@MainActor
@Suite struct OutlineTests {
  typealias Outline = NSDiffableDataSourceSectionSnapshot<Int>

  @MainActor private final class Shown {
    let view = UICollectionView(
      frame: .zero,
      collectionViewLayout: UICollectionViewCompositionalLayout.list(
        using: UICollectionLayoutListConfiguration(appearance: .plain)))
    let window = UIWindow(frame: .zero)
    let renderer = RecordingRenderer()
    var source: UICollectionViewDiffableDataSource<String, Int>!
    var style = UICellAccessory.OutlineDisclosureOptions.Style.cell
    var states: [Int: Bool] = [:]
    var handled: [Int] = []
    var ownHandler: Int?

    init() {
      let cells = UICollectionView.CellRegistration<UICollectionViewListCell, Int> {
        [unowned self] cell, _, item in fill(cell, with: item)
      }
      source = UICollectionViewDiffableDataSource(collectionView: view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
      }
      window.renderer = renderer
      window.addSubview(view)
      renderer.replay(view.showRows(from: 0, count: 200))
    }

    private func fill(_ cell: UICollectionViewListCell, with item: Int) {
      var content = cell.defaultContentConfiguration()
      content.text = "\(item)"
      cell.contentConfiguration = content
      let options = UICellAccessory.OutlineDisclosureOptions(style: style)
      cell.accessories = [.outlineDisclosure(options: options)]
      if item == ownHandler {
        cell.accessories = [
          .outlineDisclosure { [unowned self] in handled.append(item) }
        ]
      }
      cell.configurationUpdateHandler = { [unowned self] _, state in
        states[item] = state.isExpanded
      }
    }

    var rows: [String] {
      view.rows.map { row in
        let content = row.cell.rowContent
        let sign = content.outline?.isExpanded.map { $0 ? "-" : "+" } ?? "*"
        return String(repeating: " ", count: content.indentation) + sign + content.title
      }
    }

    func toggle(_ item: Int) {
      if let path = source.indexPath(for: item) { view.toggleRow(at: path) }
    }
  }

  private func fruit() -> Outline {
    var outline = Outline()
    outline.append([1, 2])
    outline.append([11, 12], to: 1)
    outline.append([111], to: 11)
    return outline
  }

  @Test func rowsComeAndGoWhenTheUserOpensAndCloses() {
    let shown = Shown()
    shown.source.apply(fruit(), to: "all")
    #expect(shown.rows == ["+1", "+2"])
    let first = shown.view.rows[0].id
    shown.toggle(1)
    #expect(shown.rows == ["-1", " +11", " +12", "+2"])
    #expect(shown.view.rows[0].id == first)
    shown.toggle(11)
    #expect(shown.rows == ["-1", " -11", "  +111", " +12", "+2"])
    #expect(shown.states == [1: true, 11: true, 111: false, 12: false, 2: false])
    shown.toggle(1)
    #expect(shown.rows == ["+1", "+2"])
    shown.toggle(1)
    #expect(shown.rows == ["-1", " -11", "  +111", " +12", "+2"])
    #expect(shown.renderer.ids == shown.view.rows.map(\.id))
    let outline = shown.source.snapshot(for: "all")
    #expect(outline.items == [1, 11, 111, 12, 2] && outline.isExpanded(11))
    #expect(shown.source.snapshot().itemIdentifiers == [1, 11, 111, 12, 2])
    let parent = shown.view.parentOfRow(at: IndexPath(item: 2, section: 0))
    #expect(parent == IndexPath(item: 1, section: 0))
  }

  @Test func theHandlersAreAskedAndTold() {
    let shown = Shown()
    shown.source.apply(fruit(), to: "all")
    var told: [String] = []
    shown.source.sectionSnapshotHandlers.shouldExpandItem = { $0 != 2 }
    shown.source.sectionSnapshotHandlers.willExpandItem = { told.append("+\($0)") }
    shown.source.sectionSnapshotHandlers.shouldCollapseItem = { $0 != 11 }
    shown.source.sectionSnapshotHandlers.willCollapseItem = { told.append("-\($0)") }
    for item in [1, 2, 11, 11, 1] { shown.toggle(item) }
    #expect(told == ["+1", "+11", "-1"])
    #expect(shown.rows == ["+1", "+2"])
    #expect(shown.source.snapshot(for: "all").isExpanded(11))
  }

  @Test func whatStandsUnderAnItemIsAskedForWhenItIsOpened() {
    let shown = Shown()
    var roots = Outline()
    roots.append([1, 2])
    shown.source.apply(roots, to: "all")
    var asked: [[Int]] = []
    shown.source.sectionSnapshotHandlers.snapshotForExpandingParent = { parent, children in
      asked.append([parent] + children.items)
      var fresh = Outline()
      fresh.append([parent * 10, parent * 10 + 1])
      return fresh
    }
    shown.toggle(1)
    shown.toggle(1)
    shown.toggle(1)
    #expect(asked == [[1], [1, 10, 11]])
    #expect(shown.rows == ["-1", " +10", " +11", "+2"])
  }

  @Test func choosingAHeaderOpensIt() {
    let shown = Shown()
    shown.style = .header
    shown.source.apply(fruit(), to: "all")
    shown.view.choose(IndexPath(item: 0, section: 0))
    #expect(shown.rows == ["-1", " +11", " +12", "+2"])
    #expect(shown.view.indexPathsForSelectedItems == [])
  }

  @Test func aHandlerOfOnesOwnTakesThePlaceOfOpening() {
    let shown = Shown()
    shown.ownHandler = 1
    shown.source.apply(fruit(), to: "all")
    shown.toggle(1)
    #expect(shown.handled == [1] && shown.rows == ["+1", "+2"])
  }

  @Test func sectionsKeepTheirTreesApart() {
    let shown = Shown()
    shown.source.apply(fruit(), to: "all")
    var other = Outline()
    other.append([5])
    other.append([51], to: 5)
    other.expand([5])
    shown.source.apply(other, to: "more")
    shown.toggle(1)
    #expect(shown.rows == ["-1", " +11", " +12", "+2", "-5", " +51"])
    // The same items once more leave the trees as they are.
    var whole = shown.source.snapshot()
    whole.reconfigureItems([11])
    shown.source.apply(whole)
    #expect(shown.rows == ["-1", " +11", " +12", "+2", "-5", " +51"])
    // Other items make the section flat.
    whole.deleteItems([11])
    shown.source.apply(whole)
    #expect(shown.rows == ["*1", "*12", "*2", "-5", " +51"])
    #expect(shown.source.snapshot(for: "all").rootItems == [1, 12, 2])
    #expect(shown.source.snapshot(for: "none").items.isEmpty)
  }

  @Test(arguments: 1...4)
  func anyTwoTreesLeadFromOneToTheOther(seed: UInt64) {
    print("OutlineTests: seed \(seed)")
    var random = SplitMix64(seed: seed)
    let shown = Shown()
    for step in 0..<100 {
      var next = Outline()
      for item in Array(0..<20).shuffled(using: &random) where Bool.random(using: &random) {
        let parent = Bool.random(using: &random) ? next.items.randomElement(using: &random) : nil
        next.append([item], to: parent)
        if Bool.random(using: &random) { next.expand([item]) }
      }
      shown.source.apply(next, to: "all")
      if let item = next.visibleItems.randomElement(using: &random), step % 2 == 0 {
        shown.toggle(item)
        if next.isExpanded(item) { next.collapse([item]) } else { next.expand([item]) }
      }
      let wanted = next.visibleItems.map { item in
        String(repeating: " ", count: next.level(of: item))
          + (next.isExpanded(item) ? "-" : "+") + "\(item)"
      }
      #expect(shown.rows == wanted, "seed \(seed), step \(step)")
      #expect(shown.renderer.ids == shown.view.rows.map(\.id), "seed \(seed), step \(step)")
    }
  }
}
