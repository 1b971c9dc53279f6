import Foundation
import ListKit

// User input for controls with a value, and their values as text.
extension UISwitch {
  func toggleByUser() { if isEnabled { receive(value: String(!isOn)) } }
}

extension UIRefreshControl {
  var title: String { attributedTitle?.string ?? "Refresh" }
}

extension UIDatePicker {
  /// The kind of value that a text is not, for the message about an invalid one.
  var kindOfValue: String { datePickerMode == .countDownTimer ? "length of time" : "date" }
}

extension UISlider {
  /// The position of the value between the bounds, from 0 to 1.
  var fraction: Double {
    maximumValue > minimumValue
      ? Double((value - minimumValue) / (maximumValue - minimumValue)) : 0
  }

  func move(to fraction: Double) {
    let bounded = Float(min(max(fraction, 0), 1))
    receive(value: String(minimumValue + bounded * (maximumValue - minimumValue)))
  }
}

extension ValueControl {
  /// The control's name: its accessibility label, a switch's title, or its kind.
  var spokenName: String {
    if let name = accessibilityLabel ?? (self as? UISwitch)?.title { return name }
    return switch self {
    case is UISwitch: "Switch"
    case is UISegmentedControl: "Choice"
    default: "Value"
    }
  }

  /// The value as text: `on`, a number, or a title.
  var spokenValue: String {
    switch self {
    case let view as UISwitch where view.style == .checkbox: view.isOn ? "checked" : "not checked"
    case let view as UISwitch: view.isOn ? "on" : "off"
    case let view as UIStepper: Self.number(view.value)
    case let view as UISlider: Self.number(Double(view.value))
    case let view as UISegmentedControl where view.selectedSegmentIndex >= 0:
      view.titleForSegment(at: view.selectedSegmentIndex) ?? ""
    default: ""
    }
  }

  private static func number(_ value: Double) -> String { String(format: "%.6g", value) }

  /// Steps the value up or down: a slider by a twentieth of its range, a segmented control to the
  /// next enabled segment.
  func step(by step: Int) {
    guard isEnabled else { return }
    switch self {
    case let view as UISwitch: view.receive(value: String(step > 0))
    case let view as UIStepper:
      if step > 0 ? view.canIncrement : view.canDecrement { view.receive(value: String(step)) }
    case let view as UISlider: view.move(to: ((view.fraction * 20).rounded() + Double(step)) / 20)
    case let view as UISegmentedControl:
      let start = view.selectedSegmentIndex < 0 && step < 0 ? 0 : view.selectedSegmentIndex
      var next = start + step
      while (0..<view.numberOfSegments).contains(next), !view.isEnabledForSegment(at: next) {
        next += step
      }
      view.receive(value: String(next))
    default: break
    }
  }

  /// Sets a typed value. Returns false for a text that is no value of this control.
  func receive(typed text: String) -> Bool {
    guard isEnabled else { return false }
    switch self {
    case let view as UISwitch:
      let values = [
        "on": true, "yes": true, "true": true, "off": false, "no": false, "false": false,
      ]
      return values[text.lowercased()].map { view.receive(value: String($0)) } ?? false
    case let view as UIStepper: return view.set(text)
    case let view as UISlider:
      guard let number = Float(text), number >= view.minimumValue, number <= view.maximumValue
      else { return false }
      return view.receive(value: text)
    case let view as UISegmentedControl:
      let index = (0..<view.numberOfSegments).first {
        view.isEnabledForSegment(at: $0)
          && view.titleForSegment(at: $0)?.lowercased() == text.lowercased()
      }
      return index.map { view.receive(value: String($0)) } ?? false
    default: return false
    }
  }

  /// A description of the valid texts.
  var typedForm: String {
    switch self {
    case is UISwitch: "on or off"
    case let view as UIStepper:
      "a number from \(Self.number(view.minimumValue)) to \(Self.number(view.maximumValue)) in steps of \(Self.number(view.stepValue))"
    case let view as UISlider:
      "a number from \(Self.number(Double(view.minimumValue))) to \(Self.number(Double(view.maximumValue)))"
    case let view as UISegmentedControl:
      (0..<view.numberOfSegments).compactMap { view.titleForSegment(at: $0) }
        .joined(separator: ", ")
    default: "a value"
    }
  }
}

extension UIStepper {
  /// Sets a number that is a whole number of steps away, and sends actions once.
  fileprivate func set(_ text: String) -> Bool {
    guard let number = Double(text), number >= minimumValue, number <= maximumValue else {
      return false
    }
    let steps = (number - value) / stepValue
    guard abs(steps - steps.rounded()) < 1e-6 else { return false }
    guard number != value else { return true }
    value = number
    sendActions(for: [.valueChanged, .primaryActionTriggered])
    return true
  }
}

extension ListCell {
  /// The controls inside the row, from its leading to its trailing edge.
  var controls: [UIView] { leadingControls + trailingControls }
}

extension ListRow {
  /// Whether the value of a form's row is not valid: its title is red.
  @MainActor var isInvalid: Bool { cell.rowContent.titleColor == "red" }
}
