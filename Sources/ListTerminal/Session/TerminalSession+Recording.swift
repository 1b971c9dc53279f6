import Foundation
import ListKit

extension TerminalSession: ListRenderer {
  /// The screen is drawn from the views, so most changes only ask for a drawing.
  func record(_ operation: ListOperation) {
    switch operation {
    // Drawing makes cells, which are views.
    case .viewChanged where isDrawing: return
    case .scrolled(let table, let row, let position):
      viewport(table).scroll(to: row, position)
    case .focused(let responder): follow(responder)
    case .toast(let new): show(new)
    case .listChanged(let table, let change) where !isTaking:
      // Keys mean rows that somebody has chosen, not one that has come into the place of another.
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

  /// An application gives a field the keyboard.
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
    /// The name of the step of undo that came with it.
    var step: String?
  }

  /// A message that is followed by another one so soon stays beside it.
  private static let unread = Duration.seconds(2)

  /// A message goes by itself, later when there is something to do about it.
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
      // A sleep that is cancelled ends with its task, and the window with it.
      try? await Task.sleep(for: .seconds(new.action == nil ? 5 : 9))
      guard let self, toast?.number == number else { return }
      toast = nil
      earlierToasts = []
      flush()
    }
  }

  func tell(_ text: String) { show(Toast(message: text, action: nil)) }
}
