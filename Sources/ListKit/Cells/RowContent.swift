/// What a renderer draws of a cell, whatever API filled it.
package struct RowContent: Equatable, Sendable {
  package var title = ""
  package var detail: String?
  /// A short text at the row's end, such as a count.
  package var badge: String?
  package var accessory = UITableViewCell.AccessoryType.none
  /// The title is edited in place.
  package var hasTitleField = false
  package var placeholder: String?
  package var accessibilityLabel: String?
}

extension UITableViewCell {
  /// The field that edits the title in place.
  package var titleField: UITextField? { contentView.firstDescendant(UITextField.self) }

  package var rowContent: RowContent {
    var content = RowContent(accessory: accessoryType, accessibilityLabel: accessibilityLabel)
    fillTexts(of: &content)
    if let label = accessoryView as? UILabel { content.badge = label.text }
    if let field = titleField {
      content.title = field.text ?? ""
      content.placeholder = field.placeholder
      content.hasTitleField = field.isEnabled
    }
    return content
  }

  private func fillTexts(of content: inout RowContent) {
    let secondary = contentConfiguration.map(\.secondaryText) ?? madeDetailLabel?.text
    let isValue = contentConfiguration?.isValue ?? (style == .value1 || style == .value2)
    content.title = (contentConfiguration.map(\.text) ?? madeTextLabel?.text) ?? ""
    if isValue { content.badge = secondary } else { content.detail = secondary }
  }
}
