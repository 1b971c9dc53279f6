import Foundation
import ListKit
import Testing

@testable import ListWeb

/// The index beside a list, and the keyboard that a telephone shows for a field, as the page is told of them.
@MainActor
@Suite struct LettersAndNumbersTests {
  private final class Lettered: UITableViewController {
    let letters: [String]
    let field = UITextField()

    init(_ letters: [String]) {
      self.letters = letters
      super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    override func numberOfSections(in tableView: UITableView) -> Int { letters.count }
    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      1
    }
    override func sectionIndexTitles(for tableView: UITableView) -> [String]? { letters }

    override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
      cell.contentView.addSubview(field)
      return cell
    }
  }

  @Test(arguments: [[], ["A"], ["A", "B"]])
  func anIndexLeadsSomewhereElse(_ letters: [String]) {
    let state = TableState(Lettered(letters).tableView)
    #expect(state.index == (letters.count > 1 ? letters : nil))
  }

  @Test(arguments: [
    (UIKeyboardType.numberPad, "numeric" as String?), (.decimalPad, "decimal"), (.default, nil),
  ])
  func aFieldAsksForItsKeys(_ type: UIKeyboardType, _ mode: String?) {
    let controller = Lettered(["A"])
    controller.field.keyboardType = type
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: controller)
    let page = WindowSession(token: "test", scene: scene, window: window).drawScreen().markup
    let found = page.firstMatch(of: /<input[^>]*inputmode="(\w+)"/)?.1
    #expect(found.map(String.init) == mode, "\(page)")
  }
}
