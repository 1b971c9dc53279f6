import Foundation
import ListKit
import TerminalDriver
import Testing

@testable import ListTerminal

@MainActor
struct SmallAndHostileTests {
  nonisolated static let hostile = [
    "\u{1B}[2J\u{1B}[H", "\u{1B}]0;title\u{7}", "a\nb\rc\td", "\u{9B}31m", "\u{202E}evil\u{202C}",
    String(repeating: "long ", count: 20_000), String(repeating: "e\u{301}\u{302}", count: 500),
    "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", "\u{0}", "", "שלום עולם", "مرحبا",
    "\u{200B}\u{200B}", "z" + String(repeating: "\u{36F}", count: 3000), "\u{E0041}\u{E0042}",
  ]

  @Test(arguments: [(1, 1), (2, 1), (3, 3), (8, 2), (20, 5), (24, 8), (80, 24), (300, 100)])
  func everySizeIsDrawn(_ columns: Int, _ rows: Int) {
    let controller = SectionsController(
      [
        .init(title: Self.hostile[0], rows: Self.hostile), .init(title: "B", rows: ["x"]),
      ], title: Self.hostile[1])
    controller.hasIndex = true
    controller.details = ["x": Self.hostile[5]]
    let terminal = TestTerminal(controller, columns: columns, rows: rows)
    for key in [
      .plain(.down), .plain(.end), .character("?"), .plain(.escape), .character("."),
      .plain(.escape), .character("n"), .character("x"), .plain(.escape), .plain(.function(2)),
      .plain(.escape), .character("'"), .plain(.escape), .plain(.tab), .plain(.pageUp),
    ] as [KeyPress] {
      terminal.press(key)
      #expect(terminal.screen.unknown.isEmpty)
      #expect(terminal.screen.modes.isEmpty || terminal.screen.modes == ["?25"])
    }
    controller.present(
      {
        let alert = UIAlertController(
          title: Self.hostile[5], message: Self.hostile[2], preferredStyle: .alert)
        alert.addTextField { $0.text = Self.hostile[8] }
        alert.addAction(UIAlertAction(title: Self.hostile[7], style: .cancel))
        return alert
      }(), animated: false)
    terminal.press(.plain(.tab), .plain(.tab), .plain(.escape))
    #expect(terminal.screen.difference(from: terminal.drawnAfresh()) == nil)
  }

  @Test func nothingOfATitleIsObeyed() {
    let controller = SectionsController(Self.hostile)
    var written = ""
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: controller)
    let session = TerminalSession(
      scene: scene, window: window,
      environment: TerminalEnvironment(["TERM": "xterm", "LANG": "C.UTF-8"]), size: (80, 40)
    ) { written += $0 }
    session.flush()
    #expect(!written.contains("\u{1B}]") && !written.contains("\u{7}") && !written.contains("\n"))
    #expect(
      !written.unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{202E}" || $0 == "\u{0}" })
    #expect(written.contains("␛[2J"))
  }

  @Test func withoutUTF8OnlyASCIIsWritten() {
    let terminal = TestTerminal(
      SectionsController(["Émile 漢字", "b"]), environment: ["TERM": "xterm", "LANG": "C"])
    #expect(terminal.text.utf8.allSatisfy { $0 < 0x80 })
    #expect(terminal.text.contains("?mile ????") && terminal.text.contains("Add~"))
  }

  @Test func anUnknownViewSaysItsName() {
    let controller = SectionsController(["a"])
    let view = UIView()
    view.accessibilityLabel = "A picture of a cat"
    let terminal = TestTerminal(controller)
    controller.tableView.tableFooterView = view
    terminal.session.flush()
    #expect(terminal.text.contains("A picture of a cat"))
  }

  /// Keys, clicks, sizes and changes at random: what the differences have made of the screen is what
  /// a drawing from nothing shows, and nothing stops.
  @Test(arguments: 1...12) func randomUseLeavesTheScreenAsDrawnAfresh(_ seed: UInt64) {
    var random = Random(seed: seed)
    let widths: TerminalScreen.Widths = seed % 2 == 0 ? .ofCharacters : .ofCodePoints
    let sections = (0..<4).map { section in
      SectionsController.Section(
        title: section == 1 ? nil : "Section \(section)",
        rows: (0..<random.below(30)).map { "Row \(section).\($0)" })
    }
    let controller = SectionsController(sections)
    controller.hasIndex = seed % 3 == 0
    for row in sections[0].rows.prefix(5) { controller.details[row] = "a detail of \(row)" }
    let terminal = TestTerminal(controller, widths: widths)
    let keys: [KeyPress] = [
      .plain(.up), .plain(.down), .plain(.pageDown), .plain(.pageUp), .plain(.home), .plain(.end),
      .plain(.enter), .plain(.escape), .plain(.tab), .shift(.tab), .plain(.left), .plain(.right),
      .plain(.delete), .plain(.backspace), .plain(.function(2)), .shift(.down), .shift(.up),
      .control("z"), .control("w"), .control("u"), .character("n"), .character("e"),
      .character("."), .character("'"), .character("?"), .character("j"), .character("漢"),
      .character("d"), .character("M"), .character(" "),
    ]
    for step in 0..<150 {
      switch random.below(12) {
      case 0: terminal.resize(columns: 1 + random.below(90), rows: 1 + random.below(40))
      case 1:
        let action = random.choice([
          MouseReport.Action.press, .drag, .release, .wheelUp, .wheelDown, .menu,
        ])
        terminal.mouse(action, x: random.below(90), y: random.below(40))
      case 2:
        let section = random.below(4)
        let row = random.below(controller.sections[section].rows.count + 1)
        controller.insert(
          random.choice(Self.hostile.filter { $0.count < 400 }) + "\(step)",
          at: IndexPath(row: row, section: section))
      case 3:
        let section = random.below(4)
        let count = controller.sections[section].rows.count
        if count > 0 { controller.remove(IndexPath(row: random.below(count), section: section)) }
      case 4: terminal.paste("pasted\ntext")
      default: terminal.press(random.choice(keys))
      }
      terminal.session.flush()
      let fresh = terminal.drawnAfresh(widths)
      #expect(terminal.screen.difference(from: fresh) == nil, "seed \(seed), step \(step)")
      #expect(terminal.screen.unknown.isEmpty)
      if terminal.screen.cells != fresh.cells { return }
    }
  }
}
