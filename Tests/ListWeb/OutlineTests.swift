import BrowserDriver
import Foundation
import ListKit
import ListSnapshots
import Testing

@testable import ListWeb

/// Rows under one another in a real browser: opened and closed by click and by the arrows.
@MainActor
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct OutlineTests {
  private static let rows = """
    [...document.querySelectorAll('.row')].map((e) =>
      e.ariaLevel + ({ true: '-', false: '+' }[e.ariaExpanded] ?? '*')
      + e.querySelector('.title').textContent).join()
    """

  private func withTree(_ body: (Browser, TreeScreen) async throws -> Void) async throws {
    let screen = TreeScreen()
    try await withScreen(screen) { browser in
      try await browser.preferReducedMotion()
      try await body(browser, screen)
    }
  }

  @Test func theSignOpensAndClosesAndTheRowIsChosen() async throws {
    try await withTree { browser, screen in
      try await browser.wait(until: "\(Self.rows) === '1+Fruit,1+Herbs,1*Salt'")
      try await browser.click(".row .disclosure")
      try await browser.wait(
        until: "\(Self.rows) === '1-Fruit,2+Apple,2*Pear,1+Herbs,1*Salt'")
      let state = try await browser.script(
        """
        const [fruit, apple] = document.querySelectorAll('.row');
        const lefts = [fruit, apple].map((e) => e.querySelector('.title').getBoundingClientRect().left);
        return [fruit.role, fruit.parentElement.role, fruit.querySelector('.disclosure').ariaLabel,
          String(lefts[1] - lefts[0])];
        """)
      #expect(state.strings == ["treeitem", "tree", "Close Fruit", "22"])
      try await browser.click(".row:nth-child(2) .title")
      try await browser.wait(until: "document.querySelector('[aria-current]')")
      #expect(screen.chosen == ["Apple"])
      try await browser.click(".row .disclosure")
      try await browser.wait(until: "\(Self.rows) === '1+Fruit,1+Herbs,1*Salt'")
    }
  }

  @Test func theArrowsOpenEnterLeaveAndClose() async throws {
    try await withTree { browser, _ in
      let focused = "document.activeElement.querySelector?.('.title')?.textContent"
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.press(.right)
      try await browser.wait(
        until: "\(Self.rows) === '1-Fruit,2+Apple,2*Pear,1+Herbs,1*Salt'")
      #expect(try await browser.script("return \(focused)").string == "Fruit")
      try await browser.press(.right)
      try await browser.wait(until: "\(focused) === 'Apple'")
      try await browser.press(.right)
      try await browser.wait(
        until: "\(Self.rows) === '1-Fruit,2-Apple,3*Cox,2*Pear,1+Herbs,1*Salt'")
      try await browser.press(.right)
      try await browser.wait(until: "\(focused) === 'Cox'")
      try await browser.press(.right)
      try await browser.press(.left)
      try await browser.wait(until: "\(focused) === 'Apple'")
      try await browser.press(.left)
      try await browser.wait(
        until: "\(Self.rows) === '1-Fruit,2+Apple,2*Pear,1+Herbs,1*Salt'")
      try await browser.press(.left)
      try await browser.wait(until: "\(focused) === 'Fruit'")
      try await browser.press(.left)
      try await browser.wait(until: "\(Self.rows) === '1+Fruit,1+Herbs,1*Salt'")
      #expect(try await browser.script("return \(focused)").string == "Fruit")
    }
  }
}

private final class TreeScreen: UICollectionViewController {
  private var source: UICollectionViewDiffableDataSource<Int, String>?
  var chosen: [String] = []

  init() {
    super.init(
      collectionViewLayout: UICollectionViewCompositionalLayout.list(
        using: UICollectionLayoutListConfiguration(appearance: .plain)))
    title = "Larder"
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    var tree = NSDiffableDataSourceSectionSnapshot<String>()
    tree.append(["Fruit", "Herbs", "Salt"])
    tree.append(["Apple", "Pear"], to: "Fruit")
    tree.append(["Cox"], to: "Apple")
    tree.append(["Mint"], to: "Herbs")
    let opening = Set(tree.items.filter { !tree.snapshot(of: $0).items.isEmpty })
    let cells = UICollectionView.CellRegistration<UICollectionViewListCell, String> {
      cell, _, title in
      var content = cell.defaultContentConfiguration()
      content.text = title
      cell.contentConfiguration = content
      cell.accessories = opening.contains(title) ? [.outlineDisclosure()] : []
    }
    source = UICollectionViewDiffableDataSource(collectionView: collectionView) {
      view, path, item in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    }
    source?.apply(tree, to: 0)
  }

  override func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) { chosen += [source?.itemIdentifier(for: indexPath)].compactMap(\.self) }
}
