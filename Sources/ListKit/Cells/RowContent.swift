/// What a renderer draws of a cell, whatever API filled it.
package struct RowContent: Equatable, Sendable {
  package var title = ""
  package var detail: String?
  /// A short text at the row's end: a count in a list, the value of a title in a form.
  package var badge: String?
  /// The title is a small label before its value.
  package var isLabelled = false
  package var accessory = UITableViewCell.AccessoryType.none
  /// The title is edited in place.
  package var hasTitleField = false
  package var placeholder: String?
  /// What the row's field or date picker says, in a form.
  package var control: Control?
  package var accessibilityLabel: String?

  package struct Control: Equatable, Sendable {
    package let text: String
    package let placeholder: String?
    package let isEnabled: Bool
  }
}

extension UITableViewCell {
  /// The field that edits the title in place, in a plain table.
  package var titleField: UITextField? {
    isInForm ? nil : contentView.firstDescendant(UITextField.self)
  }

  /// The text field or the date picker of a row in a form, which is open to be used.
  package var formControl: UIControl? {
    guard isInForm else { return nil }
    return contentView.firstDescendant(UITextField.self)
      ?? contentView.firstDescendant(UIDatePicker.self)
  }

  /// A grouped table is a form, a plain one a list.
  private var isInForm: Bool { enclosing(UITableView.self).map { $0.style != .plain } ?? false }

  package var rowContent: RowContent {
    var content = RowContent(accessory: accessoryType, accessibilityLabel: accessibilityLabel)
    fillTexts(of: &content)
    if let label = accessoryView as? UILabel { content.badge = label.text }
    if let field = titleField {
      content.title = field.text ?? ""
      content.placeholder = field.placeholder
      content.hasTitleField = field.isEnabled
    }
    content.control = formControl.map(Self.content)
    return content
  }

  private static func content(of control: UIControl) -> RowContent.Control {
    let field = control as? UITextField
    return .init(
      text: field?.text ?? (control as? UIDatePicker)?.dateText ?? "",
      placeholder: field?.placeholder, isEnabled: control.isEnabled)
  }

  private func fillTexts(of content: inout RowContent) {
    let secondary = contentConfiguration.map(\.secondaryText) ?? madeDetailLabel?.text
    let isValue = contentConfiguration?.isValue ?? (style == .value1 || style == .value2)
    content.title = (contentConfiguration.map(\.text) ?? madeTextLabel?.text) ?? ""
    content.isLabelled = style == .value2
    if isValue { content.badge = secondary } else { content.detail = secondary }
  }
}
