import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// A row: a checkbox, and a title that is edited in place.
final class TodoCell: UITableViewCell, UITextFieldDelegate {
  private let toggle = UISwitch()
  private let nameField = UITextField()
  private var rename: (String) -> Void = { _ in }
  private var complete: (Bool) -> Void = { _ in }

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    toggle.preferredStyle = .checkbox
    toggle.accessibilityIdentifier = "toggle"
    toggle.addAction(
      UIAction { [weak self] _ in
        if let self { complete(toggle.isOn) }
      }, for: .valueChanged)
    nameField.accessibilityIdentifier = "edit"
    nameField.delegate = self
    contentView.addSubview(toggle)
    contentView.addSubview(nameField)
    selectionStyle = .none
  }

  required init?(coder: NSCoder) { nil }

  func show(
    _ todo: Todo, rename: @escaping (String) -> Void, complete: @escaping (Bool) -> Void
  ) {
    self.rename = rename
    self.complete = complete
    nameField.text = todo.title
    toggle.isOn = todo.completed
    toggle.accessibilityLabel = todo.title
    nameField.textColor = todo.completed ? .secondaryLabel : .label
    accessibilityIdentifier = todo.completed ? "completed" : nil
  }

  func textFieldDidEndEditing(_ textField: UITextField) { rename(textField.text ?? "") }
}
