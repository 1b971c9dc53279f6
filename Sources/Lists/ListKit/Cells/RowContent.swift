/// The content of a cell as a renderer draws it, independent of the API that filled the cell.
package struct RowContent: Equatable, Sendable {
  package var title = ""
  package var detail: String?
  /// A short text at the row's trailing edge: a count in a list, the value of a title in a form.
  package var badge: String?
  /// Whether the title is a small label before its value.
  package var isLabelled = false
  package var accessory = Accessory.none
  /// Whether the title is a text field that is edited in place.
  package var hasTitleField = false
  package var placeholder: String?
  /// The row's text field or date picker, in a form.
  package var control: Control?
  package var accessibilityLabel: String?
  /// The name that tests and style sheets use for the row.
  package var identifier: String?
  /// The displayed states of the row's controls.
  package var controls: [String] = []
  /// Names of colours; `nil` is the default colour.
  package var titleColor: String?
  package var detailColor: String?
  package var background: String?
  /// The name of the symbol before the title.
  package var image: String?
  package var hint: String?
  /// The indentation level.
  package var indentation = 0
  /// The state of a row in an outline; `nil` elsewhere.
  package var outline: Outline?
  /// The `restorationIdentifier` of the screen that the row opens.
  package var restorationIdentifier: String?

  /// The row's texts in one line.
  package var label: String {
    if let accessibilityLabel { return accessibilityLabel }
    let texts = [title.isEmpty ? placeholder : title, detail, badge, control?.text]
    return texts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The sign at the row's trailing edge.
  package enum Accessory: Equatable, Sendable {
    case none, checkmark, disclosure, detail
  }

  package struct Outline: Equatable, Sendable {
    /// `nil` for a row that cannot be expanded.
    package let isExpanded: Bool?
    /// Whether choosing the row expands and collapses it.
    package let isChosenToToggle: Bool
  }

  package struct Control: Equatable, Sendable {
    package let text: String
    package let placeholder: String?
    package let isEnabled: Bool
  }
}

extension ListCell {
  /// The text field that edits the title in place, in a plain table.
  package var titleField: UITextField? {
    isInForm ? nil : contentView.firstDescendant(UITextField.self)
  }

  /// The text field or the date picker of a row in a form, which is always open for input.
  package var formControl: UIControl? {
    guard isInForm else { return nil }
    return contentView.firstDescendant(UITextField.self)
      ?? contentView.firstDescendant(UIDatePicker.self)
  }

  /// Whether the row belongs to a form: a grouped table. A plain one is a list.
  private var isInForm: Bool { enclosing(ListView.self)?.isForm ?? false }

  package var rowContent: RowContent {
    var content = RowContent(accessory: accessory, accessibilityLabel: accessibilityLabel)
    content.hint = accessibilityHint
    content.indentation = indentation
    content.outline = outline
    content.restorationIdentifier = restorationIdentifier
    fillTexts(of: &content)
    for case let label as UILabel in trailingAccessories { content.badge = label.text }
    content.background = backgroundConfiguration?.backgroundColor?.name
    if let field = titleField {
      content.title = field.text ?? ""
      content.placeholder = field.placeholder
      content.hasTitleField = field.isEnabled
      content.titleColor = field.textColor.flatMap { $0 == .label ? nil : $0.name }
    }
    content.control = formControl.map(Self.content)
    content.identifier = accessibilityIdentifier
    content.controls = (leadingControls + trailingControls).map(Self.state)
    return content
  }

  private static func content(of control: UIControl) -> RowContent.Control {
    let field = control as? UITextField
    return .init(
      text: field?.text ?? (control as? UIDatePicker)?.dateText ?? "",
      placeholder: field?.placeholder, isEnabled: control.isEnabled)
  }

  private func fillTexts(of content: inout RowContent) {
    content.isLabelled = isLabelled
    if let list = listContent { fill(&content, list) } else { fillLabels(of: &content) }
  }

  private func fill(_ content: inout RowContent, _ list: UIListContentConfiguration) {
    content.title = list.textProperties.transformed(list.text) ?? ""
    let secondary = list.secondaryTextProperties.transformed(list.secondaryText)
    if list.prefersSideBySideTextAndSecondaryText {
      content.badge = secondary
    } else {
      content.detail = secondary
    }
    if list.textProperties.color != .label { content.titleColor = list.textProperties.color.name }
    if list.secondaryTextProperties.color != .secondaryLabel {
      content.detailColor = list.secondaryTextProperties.color.name
    }
    content.image = list.image?.systemName
  }
}
