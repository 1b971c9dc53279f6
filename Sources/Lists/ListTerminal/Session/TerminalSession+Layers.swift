import Foundation
import ListKit

// The focused screen, and the focused element on it.
extension TerminalSession {
  /// The alert, sheet or screen that receives keys.
  var topController: UIViewController? { window.visibleAlert ?? window.visibleViewController }

  var top: Layer? { topController.map(layer) }

  func layer(for controller: UIViewController) -> Layer {
    if let layer = layers.first(where: { $0.controller === controller }) { return layer }
    let layer = Layer(controller)
    layers.append(layer)
    return layer
  }

  var stops: [Stop] {
    if let alert = window.visibleAlert { return AlertParts(alert: alert).stops }
    return topController.map { ScreenParts(controller: $0).stops } ?? []
  }

  /// The focused element.
  var focused: Stop? {
    let stops = stops
    return stops.first { $0.id == top?.focus } ?? standard(stops)
  }

  /// The initially focused element: an alert's first field or the button for Return; on a screen
  /// the first list.
  private func standard(_ stops: [Stop]) -> Stop? {
    if let alert = window.visibleAlert {
      if case .field = stops.first?.kind { return stops.first }
      let preferred = AlertParts(alert: alert).preferred
      return stops.first { $0.id == preferred.map(StopID.init) } ?? stops.first
    }
    return stops.first { if case .list = $0.kind { true } else { false } }
      ?? stops.first { if case .field = $0.kind { true } else { false } } ?? stops.first
  }

  /// The focused list.
  var focusedTable: ListView? {
    if case .list(let table) = focused?.kind { table } else { nil }
  }

  func focus(_ id: StopID) {
    top?.focus = id
    top?.restingRow = nil
    top?.rests = false
  }

  func focusNext(_ step: Int) {
    let stops = stops
    guard !stops.isEmpty else { return }
    let index = stops.firstIndex { $0.id == focused?.id } ?? 0
    if !stops.indices.contains(index + step), let controller = column(step) {
      go(to: controller)
      let next = ScreenParts(controller: controller).stops
      if let stop = step > 0 ? next.first : next.last { focus(stop.id) }
      return
    }
    focus(stops[(index + step + stops.count) % stops.count].id)
  }

  // MARK: After changes

  /// Updates the focus after a change: removes layers that are gone, and begins editing in the
  /// focused field.
  func settle() {
    // Beginning and ending editing may show or hide screens in turn.
    for _ in 0..<4 {
      let before = topController
      settleOnce()
      if topController === before { return }
    }
  }

  private func settleOnce() {
    let visible = window.visibleLayers + [window.visibleAlert].compactMap(\.self)
    for layer in layers where !visible.contains(where: { $0 === layer.controller }) {
      if layer.editing != nil { abandonEditing(of: layer) }
    }
    layers.removeAll { layer in
      guard let controller = layer.controller else { return true }
      return !visible.contains { $0 === controller } && !isKept(controller)
    }
    guard let layer = top else { return }
    defer { settledController = topController }
    if wasTakenAway {
      wasTakenAway = false
      // It was the screen of another column.
      if window.visibleColumns.count > 1, settledController === topController { return }
      for table in topController.map({ ScreenParts(controller: $0).tables }) ?? [] {
        viewport(table).lose()
      }
    }
    refreshEditing(of: layer)
    beginWhereFocused(layer)
  }

  /// Whether the keyboard state of a covered screen is kept.
  private func isKept(_ controller: UIViewController) -> Bool {
    !(controller is UIAlertController) && controller.parent != nil
  }

  private func beginWhereFocused(_ layer: Layer) {
    let wanted = controlToEdit(layer)
    if let editing = layer.editing {
      if case .title = editing.target { return }
      if let wanted, editing.isOn(wanted) { return }
      finishEditing(of: layer)
    }
    if let wanted { beginEditing(wanted, layer: layer) }
  }

  /// The focused field or date picker, to edit.
  private func controlToEdit(_ layer: Layer) -> UIControl? {
    switch focused?.kind {
    case .field(let field):
      // Keys do not become text in a field that has the focus because the list has gone.
      let isChosen = layer.focus == nil || layer.focus == StopID(field) || layer.editing != nil
      return layer.rests || !isChosen ? nil : field
    case .picker(let picker): return picker
    case .list(let table):
      guard let row = viewport(table).currentRow, layer.restingRow != row.id,
        let control = row.cell.formControl, control.isEnabled
      else { return nil }
      return control
    default: return nil
    }
  }
}
