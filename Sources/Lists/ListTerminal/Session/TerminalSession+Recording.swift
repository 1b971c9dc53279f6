import Foundation
import ListKit

extension TerminalSession: ListRenderer {
  /// Records a change. Since the screen is drawn from the views, most changes only schedule a
  /// drawing.
  func record(_ operation: WindowOperation) {
    switch operation {
    // Drawing makes cells, which are views.
    case .viewChanged where isDrawing: return
    case .focused(let responder): follow(responder)
    case .toast(let new): show(new)
    case .screenChanged(.pop) where !isTaking: wasTakenAway = true
    case .working(let isWorking): self.isWorking = isWorking
    case .waiting(let text): waitingText = text
    default: break
    }
    scheduleFlush()
  }

  func record(_ operation: ListOperation) {
    switch operation {
    case .scrolled(let table, let row, let position):
      viewport(table).scroll(to: row, position)
    case .listChanged(let table, let change) where !isTaking:
      // Keys apply to the row that the user has chosen, never to one that has replaced it.
      let viewport = viewports[ObjectIdentifier(table)]
      if change.removed.contains(where: { $0.cause == .update && $0.id == viewport?.rowID }) {
        viewport?.lose()
      }
    default: break
    }
    scheduleFlush()
  }

  func viewport(_ table: ListView) -> TableViewport {
    if let viewport = viewports[ObjectIdentifier(table)], viewport.table === table {
      return viewport
    }
    viewports = viewports.filter { $0.value.table != nil }
    let viewport = TableViewport(table)
    viewports[ObjectIdentifier(table)] = viewport
    return viewport
  }

  /// Focuses the field to which the application has given the keyboard.
  private func follow(_ responder: UIResponder?) {
    guard let control = responder as? UIControl, let controller = controller(of: control) else {
      return
    }
    let layer = layer(for: controller)
    guard let table = control.enclosing(ListView.self), let row = table.row(for: control) else {
      layer.focus = StopID(control)
      return
    }
    layer.focus = StopID(table)
    viewport(table).moveCursor(to: table.counts.place(of: row.indexPath))
    layer.restingRow = nil
    if row.cell.titleField === control { beginTitle(row, in: table, layer: layer) }
  }

  private func controller(of view: UIView) -> UIViewController? {
    (window.visibleLayers + [window.visibleAlert].compactMap(\.self)).last {
      $0.viewIfLoaded.map(view.isDescendant) ?? false
        || $0.navigationItem.searchController?.searchBar.searchTextField === view
    }
  }

  // MARK: Messages

  struct ShownToast {
    let toast: Toast
    let number: Int
    let start = ContinuousClock.now
    /// The undo action's name at the time of the message.
    var step: String?
    /// Whether the message stays until the next key after its time, and whether its time is over.
    let staysUntilKey: Bool
    var isOver = false
  }

  /// A message that is followed by another one within this time stays visible beside it.
  private static let unread = Duration.seconds(2)

  /// Shows a message, which disappears after 5 seconds, or 9 with an action.
  ///
  /// - Parameter staysUntilKey: whether it disappears with the next key after that, as lost text
  ///   does.
  func show(_ new: Toast, staysUntilKey: Bool = false) {
    toastCount += 1
    let number = toastCount
    var staysUntilKey = staysUntilKey || new.lost != nil
    if let former = toast, !Self.isContinued(former.toast.message, new.message),
      former.staysUntilKey || .now - former.start < Self.unread
    {
      earlierToasts = (earlierToasts + [former.toast.message]).suffix(2)
      staysUntilKey = staysUntilKey || former.staysUntilKey
    } else {
      earlierToasts = []
    }
    toast = ShownToast(toast: new, number: number, staysUntilKey: staysUntilKey)
    scheduleFlush()
    Task { @MainActor [weak self] in
      // Not cancelled: the task belongs to nothing that ends it.
      guard let time = self?.messageTimes else { return }
      try? await Task.sleep(for: new.action == nil ? time.plain : time.withAction)
      guard let self, toast?.number == number else { return }
      if toast?.staysUntilKey == true {
        toast?.isOver = true
        return
      }
      removeToast()
      flush()
    }
  }

  /// Whether one message is the other with more typed text, or the same.
  private static func isContinued(_ one: String, _ other: String) -> Bool {
    one.hasPrefix(other) || other.hasPrefix(one)
  }

  /// Removes a message that has waited for this key.
  func endToastThatWasRead() { if toast?.isOver == true { removeToast() } }

  private func removeToast() {
    toast = nil
    earlierToasts = []
  }

  func tell(_ text: String, staysUntilKey: Bool = false) {
    show(Toast(message: text, action: nil), staysUntilKey: staysUntilKey)
  }
}
