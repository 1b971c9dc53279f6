import Foundation
import ListKit

extension TerminalSession: ListRenderer {
  /// Records a change. Since the screen is drawn from the views, most changes only schedule a
  /// drawing.
  func record(_ operation: ListOperation) {
    switch operation {
    // Drawing makes cells, which are views.
    case .viewChanged where isDrawing: return
    case .scrolled(let table, let row, let position):
      viewport(table).scroll(to: row, position)
    case .focused(let responder): follow(responder)
    case .toast(let new): show(new)
    case .listChanged(let table, let change) where !isTaking:
      // Keys apply to the row that the user has chosen, never to one that has replaced it.
      let viewport = viewports[ObjectIdentifier(table)]
      if change.removed.contains(where: { $0.cause == .update && $0.id == viewport?.rowID }) {
        viewport?.lose()
      }
    case .screenChanged(.pop) where !isTaking: wasTakenAway = true
    case .working(let isWorking): self.isWorking = isWorking
    case .waiting(let text): waitingText = text
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
    if row.cell.titleField === control { beginTitle(row, in: table, layer) }
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
  }

  /// A message that is followed by another one within this time stays visible beside it.
  private static let unread = Duration.seconds(2)

  /// Shows a message, which disappears after 5 seconds, or 9 with an action.
  func show(_ new: Toast) {
    let number = (toast?.number ?? 0) + 1
    if let former = toast, former.toast.message != new.message, .now - former.start < Self.unread {
      earlierToasts = (earlierToasts + [former.toast.message]).suffix(2)
    } else {
      earlierToasts = []
    }
    toast = ShownToast(toast: new, number: number)
    scheduleFlush()
    Task { @MainActor [weak self] in
      // Not cancelled: the task belongs to nothing that ends it.
      try? await Task.sleep(for: .seconds(new.action == nil ? 5 : 9))
      guard let self, toast?.number == number else { return }
      toast = nil
      earlierToasts = []
      flush()
    }
  }

  func tell(_ text: String) { show(Toast(message: text, action: nil)) }
}
