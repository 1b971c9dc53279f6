import Foundation
import ListKit
import Undo

/// A browser window: its tree of views, the state that its page shows, and the messages to the
/// page.
@MainActor
final class WindowSession {
  let token: String
  let scene: UIWindowScene
  let window: UIWindow
  let names = ElementNames()
  nonisolated let log = MessageLog()
  /// The number of streams so far: only the latest one of a window is served.
  private(set) var stream = 0
  private var line: StreamLine?
  /// The time of the page's last request.
  var lastSeen = ContinuousClock.now
  var isStreaming: Bool { line != nil }
  /// The number of pages that have shown this window: a reload is a new one.
  var page = 0
  /// Whether the page has reported that it is being closed.
  var isClosing = false

  // The state that the page shows.
  /// From the bottom to the top: the columns that fill the window, and the sheets over them.
  var shownScreens: [ShownScreen] = []
  /// The number of columns.
  var shownColumns = 0
  var shownTables: [String: TableState] = [:]
  /// The frame of the alert, without the texts of its fields.
  var shownAlert: HTML?

  // Changes since the last message.
  var pending: [PatchOperation] = []
  var pendingTransition: ScreenTransition?
  var dirtyViews: [UIView] = []
  var totals: [String: ListChange.Totals] = [:]
  /// The number of rows of a table that was reloaded.
  var reloadedRows: Int?
  /// That table, which may still be waiting for the rest of its rows.
  weak var reloadedList: ListView?
  /// The row of the event that is being carried out.
  var actedRow: String?
  /// Whether an event of this window is being carried out, or its consequences are not drawn yet:
  /// changes meanwhile are its user's own.
  var isActing = false
  /// The answers to events that have been carried out.
  var ledger = EventLedger()
  /// Whether the current event has emptied the field in which Return was pressed.
  var hasEmptiedField = false
  /// Whether work is going on for which the user waits.
  var isWorking = false
  /// The reason for which all windows wait; nil for none.
  var waitingText = UIApplication.shared.waitingText
  /// The place in the page's address.
  var shownPlace = Place([])
  var shownDepth = 0
  private(set) var isFlushScheduled = false
  /// The other windows on the same lists; nil if windows do not show them.
  var company: Company?
  /// The colour in which others show this window.
  var colour: Int?
  /// The row whose title is being edited in the page.
  var renamedRow: String?
  /// The row that an alert or a sheet is about.
  private var askedRow = AskedRow()
  /// Whether the window's first page is on its way: messages to the user wait for it.
  var isAwaited = false
  /// The windows that show the same list, of which this is one.
  var sharing: SharedList?
  /// Whether the page shows what others have sent for this window, and the views are behind it.
  var isAhead = false
  /// Whether the views catch up with the page, which shows their rows already.
  var isSilent = false
  /// Whether the window takes over what others have changed, for itself and its followers.
  var isLeading = false
  /// The names of the rows that the page shows, if it is ahead.
  var sharedRows: [String] = []

  /// The actions behind the buttons of the last messages.
  var toasts: [(name: String, action: UIAction)] = []

  init(token: String, scene: UIWindowScene, window: UIWindow) {
    self.token = token
    self.scene = scene
    self.window = window
    window.renderer = self
    UndoWatch.shared.add(self)
    window.makeKeyAndVisible()
  }

  /// Closes the window for good.
  func close() {
    stepOut()
    endStream()
    company?.note(self)
    scene.disconnect()
    UndoWatch.shared.remove(self)
  }

  // MARK: Messages

  func send(_ operations: [PatchOperation]) {
    if operations.isEmpty { return }
    send(MessageLog.Text(PatchText.text(operations)))
  }

  func send(_ text: MessageLog.Text) {
    log.append(text)
    line?.wake(token)
  }

  func scheduleFlush() {
    if isFlushScheduled || isAwaited { return }
    isFlushScheduled = true
    Task { @MainActor [weak self] in self?.flushIfScheduled() }
  }

  /// Sends what has changed, unless that was done in this turn.
  func flushIfScheduled() {
    guard isFlushScheduled else { return }
    isFlushScheduled = false
    if !isAwaited { flush() }
  }

  /// Makes a connection carry the messages, instead of the previous one. Returns the number of the
  /// stream.
  func startStream(on line: StreamLine) -> Int {
    endStream()
    stream += 1
    lastSeen = .now
    isClosing = false
    self.line = line
    line.wake(token)
    scene.enterForeground()
    company?.note(self)
    return stream
  }

  /// Makes the connection send a beat, so that a lost one is noticed.
  func beat() { line?.beat() }

  func endStream() {
    line?.end(token)
    line = nil
  }

  /// Handles the end of a stream's connection: the window enters the background, which saves
  /// pending changes.
  func streamEnded(_ number: Int) {
    guard number == stream else { return }
    endStream()
    lastSeen = .now
    scene.enterBackground()
    company?.note(self)
  }

  /// Tells the other windows on these lists what has changed since the last message.
  func updateCompany() {
    guard let company else { return }
    askedRow.follow(window, acted: actedRow)
    company.note(self)
  }

  /// Whether a visible bar has undo and redo buttons for one of these undo managers.
  func showsAny(of undoManagers: Set<ObjectIdentifier>) -> Bool {
    shownScreens.contains { $0.undoManager.map(undoManagers.contains) ?? false }
  }
}

extension WindowSession: CompanyMember {
  /// A window whose page is hidden or away is nowhere.
  var presence: Presence? {
    guard isStreaming, scene.activationState == .foregroundActive else { return nil }
    return window.presence(editing: renamedRow ?? askedRow.name)
  }

  func show(_ company: Company.Shown) {
    guard isStreaming else { return }
    var operation = PatchOperation("others")
    operation.first = company.count
    operation.others = company.others
    send([operation])
  }
}
