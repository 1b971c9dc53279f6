import Foundation
import ListKit

/// A part of a control as it is drawn.
@MainActor
struct ControlPiece {
  let text: String
  var style = Style.plain
  /// The action of a click; its argument is the clicked column, counted from the start of the
  /// piece.
  var press: (@MainActor (Int) -> Void)?
}

/// Draws controls with a value, buttons and indicators of progress, each in one line.
@MainActor
struct ControlPieces {
  let symbols: Symbols
  private static let barWidth = 12

  /// The pieces of a control; none for any other view.
  ///
  /// - Parameter isNamed: whether the control's name is included. In a row the row itself contains
  ///   it.
  func pieces(of view: UIView, isNamed: Bool) -> [ControlPiece] {
    let name = isNamed ? view.accessibilityLabel : nil
    switch view {
    case let view as UISwitch: return toggle(view, title: view.title ?? name)
    case let view as UIStepper: return named(name, pieces: stepper(view))
    case let view as UISlider: return named(name, pieces: slider(view))
    case let view as UISegmentedControl: return segments(view)
    case let view as UIProgressView:
      let percent = Int((view.progress * 100).rounded())
      return named(
        name, pieces: [bar(Double(view.progress), end: symbols.done), text(" \(percent)%")])
    case let view as UIActivityIndicatorView:
      let isSeen = view.isAnimating || !view.hidesWhenStopped
      return isSeen ? [text("\(symbols.ellipsis) \(name ?? "In progress")", style: .muted)] : []
    case let view as UIRefreshControl: return [refresh(view)]
    case let view as UIButton:
      let title = view.currentTitle ?? view.accessibilityLabel ?? ""
      return [button("[ \(title) ]", isEnabled: view.isEnabled) { _ in view.press() }]
    default: return []
    }
  }

  private func named(_ name: String?, pieces: [ControlPiece]) -> [ControlPiece] {
    (name.map { [text("\($0) ")] } ?? []) + pieces
  }

  private func text(_ text: String, style: Style = .plain) -> ControlPiece {
    ControlPiece(text: text, style: style)
  }

  private func button(
    _ text: String, isEnabled: Bool, press: @escaping @MainActor (Int) -> Void
  ) -> ControlPiece {
    ControlPiece(
      text: text, style: isEnabled ? .tint : .muted, press: isEnabled ? press : nil)
  }

  private func toggle(_ view: UISwitch, title: String?) -> [ControlPiece] {
    let states = view.style == .checkbox ? (on: "[x]", off: "[ ]") : (on: "[on]", off: "[off]")
    let sign = view.isOn ? states.on : states.off
    return [
      button(title.map { "\(sign) \($0)" } ?? sign, isEnabled: view.isEnabled) { _ in
        view.toggleByUser()
      }
    ]
  }

  private func stepper(_ view: UIStepper) -> [ControlPiece] {
    [
      button("[-]", isEnabled: view.canDecrement) { _ in view.step(by: -1) },
      text(" \(view.spokenValue) "),
      button("[+]", isEnabled: view.canIncrement) { _ in view.step(by: 1) },
    ]
  }

  private func slider(_ view: UISlider) -> [ControlPiece] {
    var line = bar(view.fraction, end: symbols.knob)
    line.style = view.isEnabled ? .tint : .muted
    if view.isEnabled {
      line.press = { view.move(to: Double($0) / Double(Self.barWidth - 1)) }
    }
    return [line, text(" \(view.spokenValue)")]
  }

  /// A bar with its end at the position of a fraction from 0 to 1.
  private func bar(_ fraction: Double, end: String) -> ControlPiece {
    let place = Int((fraction * Double(Self.barWidth - 1)).rounded())
    let before = String(repeating: symbols.done, count: place)
    let after = String(repeating: symbols.undone, count: Self.barWidth - 1 - place)
    return text(before + (fraction == 0 && end == symbols.done ? symbols.undone : end) + after)
  }

  /// The segments; the selected one is in brackets.
  private func segments(_ view: UISegmentedControl) -> [ControlPiece] {
    (0..<view.numberOfSegments).map { index in
      let title = view.titleForSegment(at: index) ?? ""
      let isSelected = index == view.selectedSegmentIndex
      var piece = button(
        isSelected ? "[\(title)]" : " \(title) ",
        isEnabled: view.isEnabled && view.isEnabledForSegment(at: index)
      ) { _ in view.receive(value: String(index)) }
      piece.style.isBold = isSelected
      return piece
    }
  }

  private func refresh(_ view: UIRefreshControl) -> ControlPiece {
    if view.isRefreshing { return text("\(symbols.ellipsis) \(view.title)", style: .muted) }
    return button("[ \(view.title) ]", isEnabled: view.isEnabled) { _ in view.pull() }
  }
}
