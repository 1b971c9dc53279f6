import Foundation
import ListKit
import Undo

/// One window in one terminal: its tree of views, the content of the screen, and the meaning of
/// keys.
///
/// After each change it draws the whole screen from the views, and writes the cells that differ. It
/// owns no device: output goes to `write`, input comes through `handle`.
@MainActor
final class TerminalSession {
  let scene: UIWindowScene
  let window: UIWindow
  let symbols: Symbols
  var palette: Palette
  /// Writes text to the terminal.
  private let write: @MainActor (String) -> Void
  /// Called for requests that only the device's owner can carry out.
  var onRequest: @MainActor (Request) -> Void = { _ in }

  enum Request {
    case quit, suspend
    case mouse(Bool)
  }

  // The content of the terminal.
  private(set) var size: (columns: Int, rows: Int)
  private var shown: Canvas?
  private var shownCursor: FrameWriter.Place?
  var regions: [Region] = []
  private var isSynchronized = false

  // The state of keys and mouse.
  var layers: [Layer] = []
  var viewports: [ObjectIdentifier: TableViewport] = [:]
  var popup: Popup?
  var toast: ShownToast?
  /// The number of messages so far, which tells the timer of one from that of a later one.
  var toastCount = 0
  /// How long messages are shown.
  var messageTimes = (plain: Duration.seconds(5), withAction: Duration.seconds(9))
  /// Earlier messages that have not been visible long enough to be read.
  var earlierToasts: [String] = []
  var drag: RowDrag?
  var lastClick: Click?
  var isMouseOn = true
  /// Whether work is going on for which the user waits.
  var isWorking = false
  /// The reason for which all windows wait; nil for none.
  var waitingText = UIApplication.shared.waitingText

  /// Whether the next input is also typed: fields receive characters that arrived together at once,
  /// so that a slow search runs only once.
  var isTypingOn = false
  /// Whether typed text has not been passed to its field yet.
  var isUntold = false
  /// Whether an event of the user is being carried out: other changes are made by other users.
  var isTaking = false
  /// Whether the visible screen was removed by something other than its user.
  var wasTakenAway = false
  /// The screen that had the keys when it was last looked at.
  weak var settledController: UIViewController?
  /// Set while the user types for a removed target.
  var adrift: Adrift?

  struct Adrift {
    let what: String
    var typed: String
    var words: String { EditWords.gone(what, typed: typed) }
  }

  /// The other windows on the same lists; nil if windows do not show them.
  var company: Company?
  /// The colour in which others show this window.
  var colour: Int?
  /// The other windows, as the screen shows them.
  var others = Company.Shown.nobody
  /// The row of the input that is being handled.
  var actedRow: String?
  /// The row that an alert or a sheet is about.
  private var askedRow = AskedRow()

  private var isFlushScheduled = false
  private(set) var isDrawing = false
  /// The columns as drawn last.
  var columns: [DrawnColumn] = []
  /// Whether what is being drawn may have the keys: all but the columns beside the one that has
  /// them.
  var isDrawingFocus = true
  private var undoObservers: [any NSObjectProtocol] = []

  init(
    scene: UIWindowScene, window: UIWindow, environment: TerminalEnvironment,
    size: (columns: Int, rows: Int), write: @escaping @MainActor (String) -> Void
  ) {
    self.scene = scene
    self.window = window
    self.size = size
    self.write = write
    symbols = environment.symbols
    palette = environment.palette
    window.renderer = self
    observeUndo()
    scene.setWide(size.columns >= Self.leastWide)
    window.makeKeyAndVisible()
    scene.enterForeground()
  }

  /// Closes the window: commits typed text, and saves.
  func close() {
    for layer in layers { finishEditing(of: layer) }
    scene.disconnect()
    company?.note(self)
    for observer in undoObservers { NotificationCenter.default.removeObserver(observer) }
    undoObservers = []
  }

  // MARK: Input

  func handle(_ inputs: [TerminalInput]) {
    let wasTaking = isTaking
    isTaking = true
    defer { isTaking = wasTaking }
    for (index, input) in inputs.enumerated() {
      let manager = window.visibleUndoManager
      isTypingOn = index + 1 < inputs.count && inputs[index + 1].isTyped
      actedRow = nil
      take(input)
      updateCompany()
      // The changes of one key are one step to undo, also those of a screen that it has uncovered.
      manager?.endEvent()
      if window.visibleUndoManager !== manager { window.visibleUndoManager?.endEvent() }
      followLists()
    }
    flush()
  }

  /// Locates the current rows, so that keys typed ahead apply to the result of those before them.
  private func followLists() {
    let controllers = window.visibleColumns.count > 1 ? window.visibleColumns : []
    let all = controllers + [window.visibleViewController].compactMap(\.self)
    for table in all.flatMap({ ScreenParts(controller: $0).tables }) {
      viewport(table).follow(height: size.rows)
    }
  }

  private func take(_ input: TerminalInput) {
    if !isUntold { settle() }
    switch input {
    case .key(let key):
      // `M` leaves the mouse to the terminal, to copy the message with.
      if key != .character("M") { endToastThatWasRead() }
      press(key)
    case .paste(let text):
      endToastThatWasRead()
      paste(text)
    case .mouse(let report): mouse(report)
    case .focus(let hasFocus):
      if hasFocus { scene.enterForeground() } else { scene.enterBackground() }
    case .background(let isLight):
      if palette.isLight != isLight { forgetScreen() }
      palette.isLight = isLight
    case .drawsSynchronized: isSynchronized = true
    }
  }

  func resize(columns: Int, rows: Int) {
    size = (columns, rows)
    followWidth()
    forgetScreen()
    flush()
  }

  // MARK: Drawing

  /// Forgets the terminal's content, so that it is redrawn as a whole.
  func forgetScreen() { shown = nil }

  func scheduleFlush() {
    if isFlushScheduled { return }
    isFlushScheduled = true
    Task { @MainActor [weak self] in
      self?.isFlushScheduled = false
      self?.flush()
    }
  }

  /// Draws, and brings the terminal up to date.
  func flush() {
    settle()
    updateCompany()
    let frame = draw()
    let writer = FrameWriter(palette: palette, symbols: symbols, isSynchronized: isSynchronized)
    let text = writer.text(
      from: shown, to: frame.canvas, cursor: frame.cursor, oldCursor: shownCursor)
    (shown, shownCursor) = (frame.canvas, frame.cursor)
    if !text.isEmpty { write(text) }
  }

  /// Tells the other windows on these lists what has changed.
  private func updateCompany() {
    guard let company else { return }
    askedRow.follow(window, acted: actedRow)
    company.note(self)
  }

  /// Draws the whole screen.
  @discardableResult
  func draw() -> Frame {
    isDrawing = true
    defer { isDrawing = false }
    let frame = Frame(columns: size.columns, rows: size.rows)
    drawWindow(frame)
    regions = frame.regions
    return frame
  }

  // MARK: Undo

  /// Removes a message with an action when another step to undo follows the one that it offers to
  /// undo.
  private func endStaleToast() {
    guard let shown = toast, shown.toast.action != nil else { return }
    let step = window.visibleUndoManager?.undoActionName
    if shown.step == nil { toast?.step = step } else if shown.step != step { toast = nil }
  }

  /// Observes undo managers: the bar contains the names of the next steps.
  private func observeUndo() {
    let names = [
      "NSUndoManagerDidUndoChangeNotification", "NSUndoManagerDidRedoChangeNotification",
      "NSUndoManagerDidCloseUndoGroupNotification",
    ]
    undoObservers = names.map { name in
      let (isUndo, isStep) = (name == names.first, name == names.last)
      return NotificationCenter.default.addObserver(
        forName: Notification.Name(name), object: nil, queue: nil
      ) { [weak self] _ in
        Task { @MainActor in
          // The step that the message offered to undo has been undone.
          if isUndo, self?.toast?.toast.action != nil { self?.toast = nil }
          if isStep { self?.endStaleToast() }
          self?.scheduleFlush()
        }
      }
    }
  }
}

extension TerminalSession: CompanyMember {
  /// A terminal without the keyboard is nowhere.
  var presence: Presence? {
    guard scene.activationState == .foregroundActive else { return nil }
    return window.presence(editing: editedRow ?? askedRow.name)
  }

  /// The row whose title is being edited.
  private var editedRow: String? {
    guard case .title(_, let row) = top?.editing?.target else { return nil }
    return row
  }

  func show(_ company: Company.Shown) {
    others = company
    scheduleFlush()
  }
}
