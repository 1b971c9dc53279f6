import Foundation
import ListKit
import Undo

/// One window as lines of text: screens are printed, commands are read by line.
///
/// Nothing is ever drawn over: what was printed stays, so that a screen reader reads it in order and
/// a pipe gets plain text.
@MainActor
final class PlainSession {
  let scene: UIWindowScene
  let window: UIWindow
  let input: Int32
  let output: Int32
  private var signals: SignalPipe?
  /// Where the printed page of the list began, and how many rows a page has.
  var firstPlace = 0
  static let pageLength = 20
  /// The field of the alert that the next line is for.
  var askedField: Int?
  private var shownController: UIViewController?
  var isQuitting = false
  private var news: [String] = []
  private var totals = ListChange.Totals()
  private var isReporting = false
  private var isBusy = false
  private var toastActions: [UIAction] = []
  /// Whether something goes on that the user waits for.
  private(set) var isWorking = false
  var notice: WorkNotice?
  /// How long work goes on before it is spoken of.
  var workPatience = WorkNotice.patience
  /// What is printed is no longer so; it is printed again when the work ends.
  var owesScreen = false

  init(scene: UIWindowScene, window: UIWindow, input: Int32, output: Int32) {
    self.scene = scene
    self.window = window
    self.input = input
    self.output = output
  }

  /// Until the input ends, `quit`, or a signal that ends the process.
  func run() async {
    let signals = SignalPipe([SIGTERM, SIGINT, SIGHUP])
    self.signals = signals
    window.renderer = self
    window.makeKeyAndVisible()
    scene.enterForeground()
    printScreen()
    say("Type help for the commands.")
    prompt()
    await waitForWork(signals)
    if let text = UIApplication.shared.waitingText { say(text) }
    let reader = LineReader(descriptor: input, signals: signals)
    if !isQuitting { reader.start() }
    for await line in reader.lines {
      await carryOutInTurn(line, signals)
      await waitForWork(signals)
      if isQuitting { break }
      prompt()
    }
    scene.disconnect()
    signals.close()
  }

  func stop() { signals?.close() }

  /// One line of input, and what is printed about it.
  func carryOut(_ line: String) {
    let manager = window.visibleUndoManager
    isBusy = true
    beginWork()
    if let alert = window.visibleAlert {
      answer(alert, line)
    } else {
      perform(line)
    }
    manager?.endEvent()
    isBusy = false
    report()
  }

  // MARK: Printing

  /// Controls are drawn as symbols, whatever a title says.
  func say(_ text: String) {
    var bytes = Array((SafeText.line(text) + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count <= 0 { return isQuitting = true }
      bytes = bytes.dropFirst(count)
    }
  }

  private func prompt() {
    guard TerminalDevice.isTerminal(output), !isQuitting else { return }
    _ = write(output, "> ", 2)
  }

  /// What has happened since the last line, and the screen when it is another one.
  func report() {
    for line in news { say(line) }
    news = []
    let parts = [
      Self.phrase(totals.inserted, "added"), Self.phrase(totals.deleted, "deleted"),
      Self.phrase(totals.moved, "moved"),
    ].compactMap(\.self)
    totals = .init()
    if !parts.isEmpty { say("(\(parts.joined(separator: ", ")))") }
    if let alert = window.visibleAlert {
      if shownController !== alert { printAlert(alert) }
      shownController = alert
    } else if shownController !== window.visibleViewController {
      firstPlace = 0
      printScreen()
    }
    finishWork()
  }

  func printScreen() {
    owesScreen = false
    shownController = window.visibleViewController
    guard let controller = window.visibleViewController else { return }
    PlainScreen(controller: controller, first: firstPlace).lines.forEach(say)
  }

  private static func phrase(_ count: Int, _ verb: String) -> String? {
    count == 0 ? nil : "\(count) row\(count == 1 ? "" : "s") \(verb)"
  }
}

extension PlainSession: ListRenderer {
  func record(_ operation: ListOperation) {
    switch operation {
    case .toast(let toast):
      toastActions = toast.action.map { [$0] } ?? []
      let offer = toast.action.map { " (\($0.title.lowercased()) takes it back)" } ?? ""
      news.append(toast.message + (toast.action?.title == "Undo" ? offer : ""))
    case .listChanged(let table, let change):
      guard table.window != nil else { return }
      totals.inserted += change.totals.inserted
      totals.deleted += change.totals.deleted
      totals.moved += change.totals.moved
    case .working(let isWorking):
      self.isWorking = isWorking
      if isWorking { beginWork() }
    case .waiting(let text):
      guard let text else { return }
      news.append(text)
    case .listReloaded(let table):
      guard isWorking, !isBusy, table.window != nil else { return }
      owesScreen = true
    case .scrolled(let table, let row, _): if table.window != nil { turn(to: row, of: table) }
    case .alertChanged, .screenChanged: break
    default: return
    }
    scheduleReport()
  }

  /// The page that has the row.
  private func turn(to row: Int, of table: ListView) {
    if !(firstPlace..<firstPlace + Self.pageLength).contains(row) {
      firstPlace = row / Self.pageLength * Self.pageLength
    }
  }

  /// What happens by itself is said at once, with everything that happens with it.
  private func scheduleReport() {
    if isReporting || isBusy { return }
    isReporting = true
    Task { @MainActor [weak self] in
      self?.isReporting = false
      self?.report()
    }
  }
}
