import Foundation
import ListKit
import Undo

/// One window as lines of text: screens are printed, commands are read line by line.
///
/// Nothing is drawn over: printed lines stay, so that a screen reader can read them in order, and a
/// pipe receives plain text.
@MainActor
final class PlainSession {
  let scene: UIWindowScene
  let window: UIWindow
  let input: Int32
  let output: Int32
  private var signals: SignalPipe?
  /// The offset of the first row of the printed page, and the number of rows per page.
  var firstPlace = 0
  static let pageLength = 20
  /// The field of the alert that the next line is the answer to.
  var askedField: Int?
  private var shownController: UIViewController?
  var isQuitting = false
  /// The error of the first line that could not be written.
  private var failure: POSIXErrorCode?
  private var news: [String] = []
  private var totals = ListChange.Totals()
  private var isReporting = false
  private var isBusy = false
  private var offeredUndo: UIAction?
  /// Whether work is going on for which the user waits.
  private(set) var isWorking = false
  var notice: WorkNotice?
  /// The time after which continuing work is announced.
  var workPatience = WorkNotice.patience
  /// Whether the printed screen is outdated; it is printed again when the work ends.
  var owesScreen = false

  init(scene: UIWindowScene, window: UIWindow, input: Int32, output: Int32) {
    self.scene = scene
    self.window = window
    self.input = input
    self.output = output
  }

  /// Runs until the input ends, `quit`, or a signal that ends the process. Throws a `POSIXError` if
  /// the output cannot be written; an output that nobody reads any more just ends it.
  func run() async throws {
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
    // Without its thread the reader's lines have no end.
    if !isQuitting {
      reader.start()
      for await line in reader.lines {
        if let line {
          await carryOutInTurn(line, signals: signals)
        } else {
          say("That line is not UTF-8, and nothing was done.")
        }
        await waitForWork(signals)
        if isQuitting { break }
        prompt()
      }
    }
    scene.disconnect()
    signals.close()
    if let code = failure, code != .EPIPE { throw POSIXError(code) }
  }

  func stop() { signals?.close() }

  /// Carries out one line of input, and prints the result.
  func carryOut(_ line: String) {
    let manager = window.visibleUndoManager
    isBusy = true
    beginWork()
    if let alert = window.visibleAlert {
      answer(alert, line: line)
    } else {
      perform(line)
    }
    manager?.endEvent()
    if window.visibleUndoManager !== manager { window.visibleUndoManager?.endEvent() }
    isBusy = false
    report()
  }

  // MARK: Printing

  /// Prints a line. Control characters are printed as symbols.
  func say(_ text: String) {
    var bytes = Array((SafeText.line(text) + "\n").utf8)[...]
    while !bytes.isEmpty, failure == nil {
      let count = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count <= 0 {
        failure = POSIXErrorCode(rawValue: errno) ?? .EIO
        return isQuitting = true
      }
      bytes = bytes.dropFirst(count)
    }
  }

  private func prompt() {
    guard TerminalDevice.isTerminal(output), !isQuitting else { return }
    _ = write(output, "> ", 2)
  }

  /// Prints the changes since the last line, and the screen if it is another one.
  func report() {
    for line in news { say(line) }
    news = []
    let parts = [
      Self.phrase(totals.inserted, verb: "added"), Self.phrase(totals.deleted, verb: "deleted"),
      Self.phrase(totals.moved, verb: "moved"),
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

  /// The Undo of the last message, once.
  func takeOfferedUndo() -> UIAction? {
    defer { offeredUndo = nil }
    return offeredUndo
  }

  func printScreen() {
    owesScreen = false
    shownController = window.visibleViewController
    guard let controller = window.visibleViewController else { return }
    PlainScreen(controller: controller, first: firstPlace).lines.forEach(say)
  }

  private static func phrase(_ count: Int, verb: String) -> String? {
    count == 0 ? nil : "\(count) row\(count == 1 ? "" : "s") \(verb)"
  }
}

extension PlainSession: ListRenderer {
  func record(_ operation: WindowOperation) {
    switch operation {
    case .toast(let toast):
      offeredUndo = toast.action.flatMap { $0.title == "Undo" ? $0 : nil }
      news.append(toast.message + (offeredUndo == nil ? "" : " (undo takes it back)"))
    case .working(let isWorking):
      self.isWorking = isWorking
      if isWorking { beginWork() }
    case .waiting(let text):
      guard let text else { return }
      news.append(text)
    case .alertChanged, .screenChanged: break
    default: return
    }
    scheduleReport()
  }

  func record(_ operation: ListOperation) {
    switch operation {
    case .listChanged(let table, let change):
      guard table.window != nil else { return }
      totals.add(change.totals)
    case .listReloaded(let table):
      let isRefused = table.isForm && table.rows.contains { $0.isInvalid }
      guard isWorking && !isBusy || isRefused, table.window != nil else { return }
      owesScreen = true
    case .scrolled(let table, let row, _): if table.window != nil { turn(to: row, of: table) }
    default: return
    }
    scheduleReport()
  }

  /// Turns to the page that contains a row.
  private func turn(to row: Int, of table: ListView) {
    if !(firstPlace..<firstPlace + Self.pageLength).contains(row) {
      firstPlace = row / Self.pageLength * Self.pageLength
    }
  }

  /// Prints changes that were not caused by a line of input, together with those of the same turn.
  private func scheduleReport() {
    if isReporting || isBusy { return }
    isReporting = true
    Task { @MainActor [weak self] in
      self?.isReporting = false
      self?.report()
    }
  }
}
