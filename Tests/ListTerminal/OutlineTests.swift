import Foundation
import ListKit
import ListSnapshots
import Testing

@testable import ListTerminal

/// Rows under one another in a terminal.
@MainActor
struct OutlineTests {
  private func rows(_ terminal: TestTerminal) -> [String] {
    terminal.lines.filter { line in TreeController.items.contains { line.contains($0) } }
      .map { line in
        String(line.drop { "▌ ".contains($0) }).trimmingCharacters(in: .whitespaces)
      }
  }

  @Test func theArrowsOpenEnterLeaveAndClose() {
    let terminal = TestTerminal(TreeController())
    #expect(rows(terminal) == ["▸ Fruit", "▸ Herbs", "Salt"])
    terminal.press(.plain(.right))
    #expect(rows(terminal) == ["▾ Fruit", "▸ Apple", "Pear", "▸ Herbs", "Salt"])
    #expect(terminal.currentLine == "▾ Fruit")
    terminal.press(.plain(.right))
    #expect(terminal.currentLine == "Apple")
    terminal.press(.plain(.right), .plain(.right))
    #expect(terminal.currentLine == "Cox")
    terminal.press(.plain(.left))
    #expect(terminal.currentLine == "▾ Apple")
    terminal.press(.plain(.left), .plain(.left))
    #expect(terminal.currentLine == "▾ Fruit")
    terminal.press(.plain(.left))
    #expect(rows(terminal) == ["▸ Fruit", "▸ Herbs", "Salt"])
    #expect(terminal.text.contains("→ Unfold"))
  }

  @Test func theKeysOfATreeComeBeforeTheWayBack() {
    let terminal = TestTerminal(TreeController())
    let below = UIViewController()
    below.title = "Below"
    terminal.window.rootViewController = {
      let navigation = UINavigationController(rootViewController: below)
      navigation.pushViewController(TreeController(), animated: false)
      return navigation
    }()
    terminal.session.flush()
    #expect(terminal.text.contains("← Back to Below"))
    terminal.press(.plain(.right), .plain(.right))
    #expect(terminal.text.contains("Esc Back to Below"))
    terminal.press(.plain(.left), .plain(.left), .plain(.left))
    terminal.session.flush()
    #expect(terminal.text.contains("Below") && !terminal.text.contains("Fruit"))
  }

  @Test func whatStandsDeeperBeginsFurtherIn() {
    let terminal = TestTerminal(TreeController())
    terminal.press(.plain(.right))
    let starts = ["Fruit", "Apple", "Pear"].compactMap { title in
      terminal.lines.first { $0.contains(title) }.flatMap { line in
        line.range(of: title).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }
    }
    #expect(starts == [4, 6, 6])
  }

  @Test func aClickOnTheSignOpensAndOneOnTheTitleChooses() {
    let controller = TreeController()
    let terminal = TestTerminal(controller)
    terminal.click("▸ Fruit")
    #expect(rows(terminal).count == 5)
    #expect(controller.chosen == [])
    terminal.click("Pear")
    #expect(controller.chosen == ["Pear"])
    terminal.click("▾ Fruit")
    #expect(rows(terminal).count == 3)
  }
}

/// A tree of three levels.
final class TreeController: UICollectionViewController {
  static let items = ["Fruit", "Herbs", "Salt", "Apple", "Pear", "Cox", "Mint"]
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
