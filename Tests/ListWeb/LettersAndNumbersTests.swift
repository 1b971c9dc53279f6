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

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.tableHeaderView = field
    }

    override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      UITableViewCell(style: .default, reuseIdentifier: nil)
    }
  }

  private func page(_ controller: UIViewController) -> String {
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: controller)
    return WindowSession(token: "test", scene: scene, window: window).drawScreen().markup
  }

  @Test(arguments: [([], false), (["A"], false), (["A", "B"], true)])
  func anIndexLeadsSomewhereElse(_ letters: [String], isThere: Bool) {
    let page = page(Lettered(letters))
    #expect(page.contains("&quot;index&quot;:[&quot;A&quot;,&quot;B&quot;]") == isThere, "\(page)")
    #expect(page.contains("&quot;index&quot;") == isThere, "\(page)")
  }

  @Test(arguments: [
    (UIKeyboardType.numberPad, "numeric" as String?), (.decimalPad, "decimal"), (.default, nil),
  ])
  func aFieldAsksForItsKeys(_ type: UIKeyboardType, _ mode: String?) {
    let controller = Lettered(["A"])
    controller.field.keyboardType = type
    let page = page(controller)
    #expect(page.contains("<input"), "\(page)")
    let found = page.firstMatch(of: /<input[^>]*inputmode="(\w+)"/)?.1
    #expect(found.map(String.init) == mode, "\(page)")
  }
}
