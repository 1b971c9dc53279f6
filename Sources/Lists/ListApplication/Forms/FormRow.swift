import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// A row of a form: a label that stays, and the control for the value.
@MainActor
final class FormRow {
  let field: FormField
  let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
  /// The text when editing began, which is compared with that of others.
  var began: String
  /// Why the value is not accepted.
  private(set) var error: String?
  /// Called after each change by the user.
  var onChange: @MainActor () -> Void = {}

  private let locale: Locale
  private let textField = UITextField()
  private let datePicker = UIDatePicker()
  private var segments = UISegmentedControl(items: [])
  private var choices: [(value: String, title: String)] = []
  private lazy var addButton = button("Add") { [weak self] in self?.text = Day.text(Day.today) }
  private lazy var removeButton = button("Remove") { [weak self] in self?.text = "" }

  init(_ field: FormField, locale: Locale) {
    self.field = field
    self.locale = locale
    began = field.compared(field.text)
    cell.textLabel?.text = field.label
    switch field.kind {
    case .text, .whole: setUpTextField()
    case .decimal(let unit, let spoken): setUpNumber(unit: unit, spoken: spoken)
    case .day: setUpPicker()
    case .choice(let choices): setUpSegments(choices)
    }
    text = field.text
  }

  /// The control that gets the keyboard.
  var responder: UIControl {
    switch field.kind {
    case .text, .whole, .decimal: textField
    case .day: datePicker.superview == nil ? addButton : datePicker
    case .choice: segments
    }
  }

  func show(error: String?) {
    self.error = error
    cell.textLabel?.textColor = error == nil ? .label : .systemRed
  }

  // MARK: - The value

  var text: String {
    get {
      switch field.kind {
      case .text, .whole: trimmed
      case .decimal: Numeral.decimal(trimmed) ?? trimmed
      case .day: datePicker.superview == nil ? "" : Day.text(datePicker.date)
      case .choice:
        choices.indices.contains(segments.selectedSegmentIndex)
          ? choices[segments.selectedSegmentIndex].value : ""
      }
    }
    set {
      switch field.kind {
      case .text, .whole: textField.text = newValue
      case .decimal: textField.text = Numeral.words(newValue, in: locale) ?? newValue
      case .day: show(day: Day.date(newValue))
      case .choice: show(choice: newValue)
      }
    }
  }

  private var trimmed: String {
    (textField.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Shows the picker, or a button in its place without a day.
  private func show(day: Date?) {
    for view in [datePicker, addButton, removeButton] { view.removeFromSuperview() }
    guard let day else { return cell.contentView.addSubview(addButton) }
    datePicker.date = day
    cell.contentView.addSubview(datePicker)
    if case .day(isRequired: false) = field.kind { cell.contentView.addSubview(removeButton) }
  }

  /// Selects a value; one that the form does not know gets a segment of its own.
  private func show(choice: String) {
    if !choices.contains(where: { $0.value == choice }) {
      segments.insertSegment(withTitle: choice, at: choices.count, animated: false)
      choices.append((choice, choice))
    }
    segments.selectedSegmentIndex = choices.firstIndex { $0.value == choice } ?? 0
  }

  // MARK: - The control

  private func setUpTextField() {
    textField.accessibilityLabel = field.label
    if case .whole = field.kind { textField.keyboardType = .numberPad }
    follow(textField, .editingChanged)
  }

  private func setUpNumber(unit: String, spoken: String) {
    textField.accessibilityLabel = "\(field.label) in \(spoken)"
    textField.keyboardType = .decimalPad
    let label = UILabel()
    label.text = unit
    textField.rightView = label
    textField.rightViewMode = .always
    follow(textField, .editingChanged)
  }

  private func setUpPicker() {
    datePicker.datePickerMode = .date
    datePicker.timeZone = .gmt
    datePicker.accessibilityLabel = field.label
    datePicker.addAction(UIAction { [weak self] _ in self?.onChange() }, for: .valueChanged)
  }

  private func setUpSegments(_ choices: [(value: String, title: String)]) {
    self.choices = choices
    segments = UISegmentedControl(items: choices.map(\.title))
    segments.accessibilityLabel = field.label
    segments.addAction(UIAction { [weak self] _ in self?.onChange() }, for: .valueChanged)
    cell.contentView.addSubview(segments)
  }

  private func follow(_ control: UIControl, _ events: UIControl.Event) {
    control.addAction(UIAction { [weak self] _ in self?.onChange() }, for: events)
    cell.contentView.addSubview(control)
  }

  private func button(_ title: String, press: @escaping @MainActor () -> Void) -> UIButton {
    let action = UIAction(title: title) { [weak self] _ in
      press()
      self?.onChange()
    }
    let button = UIButton(type: .system, primaryAction: action)
    button.accessibilityLabel = "\(title) \(field.label.lowercased())"
    return button
  }
}
