import Foundation
import ListKit
import Undo

/// Draws the bar over a screen: back, the screen's buttons, undo and redo.
@MainActor
struct BarHTML {
  let controller: UIViewController
  let names: ElementNames
  let undoManager: UndoManager?

  var markup: HTML {
    let item = controller.navigationItem
    let left = (item.leftBarButtonItems ?? []).map(button).joined()
    // UIKit lays right items out from the edge inwards.
    let right = (item.rightBarButtonItems ?? []).reversed().map(button).joined()
    return """
      <header class="bar">\(back)\(left)<span class="spring"></span>\(undoButtons)\(right)</header>
      """
  }

  var title: String { controller.navigationItem.title ?? controller.title ?? "" }

  private var back: HTML {
    guard let navigation = controller.navigationController,
      !controller.navigationItem.hidesBackButton,
      let index = navigation.viewControllers.firstIndex(of: controller), index > 0
    else { return "" }
    let below = navigation.viewControllers[index - 1]
    let title =
      below.navigationItem.backButtonTitle ?? below.navigationItem.title ?? below.title ?? "Back"
    return """
      <button type="button" class="back" data-event="back" aria-label="Back to \(title)">\
      <span aria-hidden="true">‹</span> <span class="below">\(title)</span></button>
      """
  }

  private func button(_ item: UIBarButtonItem) -> HTML {
    let label: HTML = item.accessibilityLabel.map { " aria-label=\"\($0)\"" } ?? ""
    return """
      <button type="button" data-press="\(names.name(for: item))"\(label)\
      \(" disabled", if: !item.isEnabled)>\(item.title ?? "")</button>
      """
  }

  private var undoButtons: HTML {
    guard let undoManager else { return "" }
    return undoButton(
      "undo", "↺", undoManager.canUndo ? undoManager.undoMenuItemTitle : nil, "Undo", "Ctrl-Z")
      + undoButton(
        "redo", "↻", undoManager.canRedo ? undoManager.redoMenuItemTitle : nil, "Redo",
        "Ctrl-Shift-Z")
  }

  private func undoButton(
    _ event: String, _ sign: String, _ title: String?, _ fallback: String, _ keys: String
  ) -> HTML {
    let shown: HTML = title.map { " <span class=\"name\">\($0)</span>" } ?? ""
    return """
      <button type="button" class="\(event)" data-event="\(event)" \
      aria-label="\(title ?? fallback)" title="\(title ?? fallback) (\(keys))"\
      \(" disabled", if: title == nil)><span aria-hidden="true">\(sign)</span>\(shown)</button>
      """
  }
}
