import Foundation
import ListKit
import Undo

/// One window in one terminal: its tree of views, what the screen shows of it, and what the keys
/// mean.
///
/// It draws the whole screen from the views whenever something has changed, and writes the cells
/// that differ. It owns no device: bytes go to `write`, and input comes through `handle`.
@MainActor
final class TerminalSession {
  let scene: UIWindowScene
  let window: UIWindow
  let symbols: Symbols
  var palette: Palette
  /// Takes what is written to the terminal.
  private let write: @MainActor (String) -> Void
  /// Called for what only the owner of the device can do.
  var onRequest: @MainActor (Request) -> Void = { _ in }

  enum Request {
    case quit, suspend
    case mouse(Bool)
  }

  // What is shown.
  private(set) var size: (columns: Int, rows: Int)
  private var shown: Canvas?
  private var shownCursor: FrameWriter.Place?
  var regions: [Region] = []
  private var isSynchronized = false

  // What the keys mean.
  var layers: [Layer] = []
  var viewports: [ObjectIdentifier: TableViewport] = [:]
  var popup: Popup?
  var toast: ShownToast?
  /// Messages that came shortly before it, and are not read yet.
  var earlierToasts: [String] = []
  var drag: RowDrag?
  var lastClick: Click?
  var isMouseOn = true
  /// Whether something goes on that the user waits for.
  var isWorking = false
  /// What everything waits for.
  var waitingText = UIApplication.shared.waitingText

  /// What comes next is typed too: fields hear of characters that came together at once, so that a
  /// slow search is not made for each.
  var isTypingOn = false
  /// The field has not heard yet of what was typed.
  var isUntold = false
  /// Whether a deed of the user's is being carried out: all else that changes is somebody else's doing.
  var isTaking = false
  /// The screen that was shown was taken away, not by its user.
  var wasTakenAway = false
  /// Set while somebody types for what is no longer there.
  var adrift: Adrift?

  struct Adrift {
    let what: String
    var typed: String
    var words: String { EditWords.gone(what, typed: typed) }
  }

  private var isFlushScheduled = false
  private(set) var isDrawing = false
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
    window.makeKeyAndVisible()
    scene.enterForeground()
  }

  /// The window is gone: what was typed is taken over, and all is saved.
  func close() {
    for layer in layers { finishEditing(of: layer) }
    scene.disconnect()
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
      take(input)
      // What one key changed is one step to undo.
      manager?.endEvent()
      followLists()
    }
    flush()
  }

  /// Keys that are typed ahead mean what the keys before them have brought.
  private func followLists() {
    guard let controller = window.visibleViewController else { return }
    for table in ScreenParts(controller: controller).tables {
      viewport(table).follow(height: size.rows)
    }
  }

  private func take(_ input: TerminalInput) {
    if !isUntold { settle() }
    switch input {
    case .key(let key): press(key)
    case .paste(let text): paste(text)
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
    forgetScreen()
    flush()
  }

  // MARK: Drawing

  /// Nothing is known any more of what the terminal shows.
  func forgetScreen() { shown = nil }

  func scheduleFlush() {
    if isFlushScheduled { return }
    isFlushScheduled = true
    Task { @MainActor [weak self] in
      self?.isFlushScheduled = false
      self?.flush()
    }
  }

  /// Brings the terminal up to date.
  func flush() {
    settle()
    let frame = draw()
    let writer = FrameWriter(palette: palette, symbols: symbols, isSynchronized: isSynchronized)
    let text = writer.text(
      from: shown, to: frame.canvas, cursor: frame.cursor, oldCursor: shownCursor)
    (shown, shownCursor) = (frame.canvas, frame.cursor)
    if !text.isEmpty { write(text) }
  }

  /// The whole screen, drawn afresh.
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

  /// A message offers to take back the step that it came with, and goes when another one follows.
  private func endStaleToast() {
    guard let shown = toast, shown.toast.action != nil else { return }
    let step = window.visibleUndoManager?.undoActionName
    if shown.step == nil { toast?.step = step } else if shown.step != step { toast = nil }
  }

  /// The bar names what can be undone: any change of the undo manager may change it.
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
          // What the message offered to take back has been taken back.
          if isUndo, self?.toast?.toast.action != nil { self?.toast = nil }
          if isStep { self?.endStaleToast() }
          self?.scheduleFlush()
        }
      }
    }
  }
}
