import Foundation
import ListKit
import Undo

/// Draws the bar over a screen: prompt, back button, the screen's buttons, undo and redo.
@MainActor
struct BarHTML {
  let controller: UIViewController
  let names: ElementNames
  let undoManager: UndoManager?

  var markup: HTML {
    let item = controller.navigationItem
    let sidebar = controller.shownDisplayModeButton.map { [$0] } ?? []
    let left = shown(sidebar + (item.leftBarButtonItems ?? [])).map(button).joined()
    // UIKit lays out the right items from the edge inwards.
    let right = shown(item.rightBarButtonItems ?? []).reversed().map(button).joined()
    let prompt: HTML = item.prompt.map { "<p class=\"prompt\">\($0)</p>" } ?? ""
    // The title in the bar is visible while the large title is scrolled away.
    return """
      <header class="bar">\(prompt)\(back)\(left)\
      <span class="spring" dir="auto" aria-hidden="true">\(title)</span>\(undoButtons)\(right)</header>
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
      <span aria-hidden="true">‹</span> <span class="below" dir="auto">\(title)</span></button>
      """
  }

  private func shown(_ items: [UIBarButtonItem]) -> [UIBarButtonItem] {
    controller.leavesUndoToLaterColumn ? items.filter { !$0.isUndo } : items
  }

  private func button(_ item: UIBarButtonItem) -> HTML {
    let label: HTML = item.accessibilityLabel.map { " aria-label=\"\($0)\"" } ?? ""
    let kind = item.image.flatMap { Self.kinds[$0.systemName] }
    let tip: HTML = kind.map { " title=\"\(item.title ?? "")\($0.keys)\"" } ?? ""
    let title: HTML =
      kind.map {
        let name: HTML = item.isEnabled ? " <span class=\"name\">\(item.title ?? "")</span>" : ""
        return "<span aria-hidden=\"true\">\($0.sign)</span>\(name)"
      } ?? .text(item.title ?? "")
    return """
      <button type="button" class="\(kind?.name ?? "item")\(" done", if: item.style == .done)" \
      data-press="\(names.name(for: item))"\(" data-adds", if: adds(item))\
      \(label)\(tip)\(" disabled", if: !item.isEnabled)>\(title)</button>
      """
  }

  /// Whether a button asks for something new, which the key N does.
  private func adds(_ item: UIBarButtonItem) -> Bool {
    let verb = (item.accessibilityLabel ?? item.title ?? "").prefix { $0.isLetter }
    return verb == "Add" || verb == "New"
  }

  private struct Kind {
    let name: String
    let sign: String
    let keys: String
  }

  /// The buttons that are drawn as signs, by the name of their picture.
  private static let kinds = [
    "arrow.uturn.backward": Kind(name: "undo", sign: "↺", keys: " (Ctrl-Z)"),
    "arrow.uturn.forward": Kind(name: "redo", sign: "↻", keys: " (Ctrl-Shift-Z)"),
    "sidebar.leading": Kind(name: "sidebar", sign: "◧", keys: ""),
  ]

  /// Undo and redo buttons for the controller's undo manager, unless the controller has its own.
  private var undoButtons: HTML {
    let item = controller.navigationItem
    let own = (item.leftBarButtonItems ?? []) + (item.rightBarButtonItems ?? [])
    let hasOwn = own.contains { $0.image.map { Self.kinds[$0.systemName] != nil } ?? false }
    guard let undoManager, !hasOwn, !controller.leavesUndoToLaterColumn else { return "" }
    // A window always has an undo manager. No buttons for it until it has been used.
    let isInUse = undoManager !== controller.viewIfLoaded?.window?.undoManager
    guard isInUse || undoManager.canUndo || undoManager.canRedo else { return "" }
    return undoButton(
      "undo", sign: "↺", title: undoManager.canUndo ? undoManager.undoMenuItemTitle : nil,
      fallback: "Undo", keys: "Ctrl-Z")
      + undoButton(
        "redo", sign: "↻", title: undoManager.canRedo ? undoManager.redoMenuItemTitle : nil,
        fallback: "Redo",
        keys: "Ctrl-Shift-Z")
  }

  private func undoButton(
    _ event: String, sign: String, title: String?, fallback: String, keys: String
  ) -> HTML {
    let shown: HTML = title.map { " <span class=\"name\">\($0)</span>" } ?? ""
    return """
      <button type="button" class="\(event)" data-event="\(event)" \
      aria-label="\(title ?? fallback)" title="\(title ?? fallback) (\(keys))"\
      \(" disabled", if: title == nil)><span aria-hidden="true">\(sign)</span>\(shown)</button>
      """
  }
}
