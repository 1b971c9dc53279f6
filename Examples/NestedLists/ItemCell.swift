import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// A row: a title that is edited in place, and the number of items in its list.
final class ItemCell: UITableViewCell, UITextFieldDelegate {
  private let nameField = UITextField()
  private let countLabel = UILabel()
  private var rename: (String) -> Void = { _ in }
  private var shownTitle = ""

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    nameField.delegate = self
    contentView.addSubview(nameField)
    accessoryType = .disclosureIndicator
  }

  required init?(coder: NSCoder) { nil }

  func show(_ item: Item, rename: @escaping (String) -> Void) {
    self.rename = rename
    shownTitle = item.title ?? ""
    restorationIdentifier = item.restorationIdentifier
    nameField.text = shownTitle
    let count = item.numberOfChildren
    countLabel.text = count == 0 ? nil : "\(count)"
    accessoryView = count == 0 ? nil : countLabel
  }

  func textFieldDidEndEditing(_ textField: UITextField) {
    let title = textField.text ?? ""
    // An empty title is replaced by the old one.
    textField.text = shownTitle
    rename(title)
  }
}
