import Foundation
import ListKit
import Undo

/// One browser window: its tree of views, what its page shows of it, and the messages on the way
/// there.
@MainActor
final class WindowSession {
  let token: String
  let scene: UIWindowScene
  let window: UIWindow
  let names = ElementNames()
  nonisolated let log = MessageLog()
  /// Counts streams, so that only the latest one of a window is served.
  private(set) var stream = 0
  private var line: StreamLine?
  /// When the page was heard of last.
  var lastSeen = ContinuousClock.now
  var isStreaming: Bool { line != nil }
  /// Counts the pages that have shown this window: a reload makes a new one.
  var page = 0
  /// The page said that it goes away.
  var isClosing = false

  // What the page shows.
  /// From the bottom to the top: the one that fills the window, and the sheets over it.
  var shownScreens: [ShownScreen] = []
  var shownTables: [String: TableState] = [:]
  /// The frame of the alert, without what is typed into it.
  var shownAlert: HTML?

  // What has changed since the last message.
  var pending: [PatchOperation] = []
  var pendingTransition: ScreenTransition?
  var dirtyViews: [UIView] = []
  var totals = ListChange.Totals()
  /// How many rows there are in a table that was loaded anew.
  var reloadedRows: Int?
  /// The row that the event is about which is carried out.
  var actedRow: String?
  /// An event of this window is carried out, or has not settled yet: what changes is its user's doing.
  var isActing = false
  /// The events that have been carried out.
  var ledger = EventLedger()
  /// The event that is carried out has emptied the field that Return was pressed in.
  var hasEmptiedField = false
  /// Whether something goes on that the user waits for.
  var isWorking = false
  /// What everything waits for.
  var waitingText = UIApplication.shared.waitingText
  /// The place that the page's address says.
  var shownPlace = Place([])
  var shownDepth = 0
  private var isFlushScheduled = false

  /// Actions behind the buttons of messages, the latest few.
  var toasts: [(name: String, action: UIAction)] = []

  init(token: String, scene: UIWindowScene, window: UIWindow) {
    self.token = token
    self.scene = scene
    self.window = window
    window.renderer = self
    UndoWatch.shared.add(self)
    window.makeKeyAndVisible()
  }

  /// The window is gone: nobody will hear of it again.
  func close() {
    endStream()
    scene.disconnect()
    UndoWatch.shared.remove(self)
  }

  // MARK: Messages

  func send(_ operations: [PatchOperation]) {
    if operations.isEmpty { return }
    log.append(JSON.text(operations))
    line?.wake(token)
  }

  func scheduleFlush() {
    if isFlushScheduled { return }
    isFlushScheduled = true
    Task { @MainActor [weak self] in self?.flushIfScheduled() }
  }

  func flushIfScheduled() {
    guard isFlushScheduled else { return }
    isFlushScheduled = false
    flush()
  }

  /// From now on a connection carries the messages, and no longer the one before. Answers with the
  /// number of the stream.
  func startStream(on line: StreamLine) -> Int {
    endStream()
    stream += 1
    lastSeen = .now
    isClosing = false
    self.line = line
    line.wake(token)
    scene.enterForeground()
    return stream
  }

  /// Keeps the connection in use, so that a lost one is noticed.
  func beat() { line?.beat() }

  func endStream() {
    line?.end(token)
    line = nil
  }

  /// The connection of a stream is gone. Whatever the reason, what is pending is saved now.
  func streamEnded(_ number: Int) {
    guard number == stream else { return }
    endStream()
    lastSeen = .now
    scene.enterBackground()
  }

  /// The bar names what can be undone: any change of its undo manager may change it.
  func showsAny(of undoManagers: Set<ObjectIdentifier>) -> Bool {
    shownScreens.contains { screen in
      (screen.controller?.undoManager ?? window.undoManager)
        .map { undoManagers.contains(ObjectIdentifier($0)) } ?? false
    }
  }
}
