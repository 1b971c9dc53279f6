import Foundation
import ListKit
import TerminalDriver

@testable import ListTerminal

/// A session with a screen instead of a terminal.
@MainActor
final class TestTerminal {
  let session: TerminalSession
  let window: UIWindow
  private let output: Output
  var screen: TerminalScreen { output.screen }
  var requests: [TerminalSession.Request] { output.requests }

  private final class Output {
    var screen: TerminalScreen
    var requests: [TerminalSession.Request] = []
    var bytes = 0
    init(_ screen: TerminalScreen) { self.screen = screen }
  }

  init(
    _ root: UIViewController, columns: Int = 60, rows: Int = 20,
    environment: [String: String] = ["TERM": "xterm-256color", "LANG": "C.UTF-8"],
    widths: TerminalScreen.Widths = .ofCharacters
  ) {
    let scene = UIWindowScene()
    window = UIWindow(windowScene: scene)
    window.rootViewController =
      root is UITabBarController || root is UINavigationController || root is UISplitViewController
      ? root : UINavigationController(rootViewController: root)
    let output = Output(TerminalScreen(columns: columns, rows: rows, widths: widths))
    self.output = output
    session = TerminalSession(
      scene: scene, window: window, environment: TerminalEnvironment(environment),
      size: (columns, rows)
    ) {
      output.bytes += $0.utf8.count
      output.screen.write($0)
    }
    session.onRequest = { output.requests.append($0) }
    session.flush()
  }

  var lines: [String] { screen.lines }
  var text: String { screen.text }
  /// How many bytes were written so far.
  var bytes: Int { output.bytes }

  /// The line of the row that the keys mean, without its signs.
  var currentLine: String? {
    lines.first { $0.contains("▌") }.map {
      String($0.drop { "▌▸ ⠿⊖◉○".contains($0) }).trimmingCharacters(in: .whitespaces)
    }
  }

  func press(_ keys: KeyPress...) { for key in keys { session.handle([.key(key)]) } }

  func type(_ text: String) { session.handle(text.map { .key(.character($0)) }) }

  func paste(_ text: String) { session.handle([.paste(text)]) }

  func mouse(_ action: MouseReport.Action, x: Int, y: Int) {
    session.handle([.mouse(MouseReport(action: action, x: x, y: y))])
  }

  func click(x: Int, y: Int) {
    mouse(.press, x: x, y: y)
    mouse(.release, x: x, y: y)
  }

  /// Clicks the first place where a text stands.
  func click(_ text: String) {
    for (y, line) in lines.enumerated() {
      guard let range = line.range(of: text) else { continue }
      return click(x: line.distance(from: line.startIndex, to: range.lowerBound), y: y)
    }
  }

  func resize(columns: Int, rows: Int) {
    output.screen.resize(columns: columns, rows: rows)
    session.resize(columns: columns, rows: rows)
  }

  /// The screen as it would be if it were drawn from nothing.
  func drawnAfresh(_ widths: TerminalScreen.Widths = .ofCharacters) -> TerminalScreen {
    var fresh = TerminalScreen(columns: screen.columns, rows: screen.rows, widths: widths)
    let frame = session.draw()
    let writer = FrameWriter(palette: session.palette, symbols: session.symbols)
    fresh.write(writer.text(from: nil, to: frame.canvas, cursor: frame.cursor))
    return fresh
  }
}
