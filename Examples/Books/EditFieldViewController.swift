import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Receives the outcome of editing one field; the delegate removes the page.
@MainActor
protocol EditFieldViewControllerDelegate: AnyObject {
  /// Called with a value that is valid for the field.
  func editFieldViewController(_ controller: EditFieldViewController, didSave value: Any?)
  func editFieldViewControllerDidCancel(_ controller: EditFieldViewController)
}

/// Edits a value for one field of a book. The delegate changes the book itself.
final class EditFieldViewController: UITableViewController {
  let field: BookField
  weak var delegate: (any EditFieldViewControllerDelegate)?
  private let book: Book
  /// The field's text when the page appeared.
  private var began: String?
  private let textField = UITextField()
  private let datePicker = UIDatePicker()
  private let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
  /// Why the value is not accepted.
  private var error: String?

  init(book: Book, field: BookField) {
    self.book = book
    self.field = field
    super.init(style: .insetGrouped)
    title = field.label
    restorationIdentifier = field.rawValue
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    began = book.text(of: field)
    tableView.allowsSelection = false
    navigationItem.hidesBackButton = true
    navigationItem.leftBarButtonItem = UIBarButtonItem(
      systemItem: .cancel,
      primaryAction: UIAction { [weak self] _ in
        guard let self else { return }
        delegate?.editFieldViewControllerDidCancel(self)
      })
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      systemItem: .save, primaryAction: UIAction { [weak self] _ in self?.save() })
    cell.contentView.addSubview(field == .copyright ? setUpPicker() : setUpField())
  }

  private func setUpField() -> UIView {
    textField.text = book.text(of: field)
    textField.placeholder = field.label
    textField.accessibilityLabel = field.label
    textField.delegate = self
    return textField
  }

  private func setUpPicker() -> UIView {
    datePicker.datePickerMode = .date
    datePicker.timeZone = .gmt
    datePicker.date = book.copyright ?? Date()
    datePicker.accessibilityLabel = field.label
    return datePicker
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    textField.becomeFirstResponder()
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 1 }

  override func tableView(
    _ tableView: UITableView, titleForFooterInSection section: Int
  ) -> String? { error }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell { cell }

  /// Validates the value. If it is invalid, the page stays and says why below the field.
  private func save() {
    var value: Any? = field == .copyright ? datePicker.date : Book.value(of: textField.text)
    do {
      try book.validateValue(&value, forKey: field.key)
      finish(value)
    } catch {
      self.error = words(for: error)
      tableView.reloadData()
      textField.resignFirstResponder()
      textField.becomeFirstResponder()
    }
  }

  /// Ends editing. An unchanged field is not written, since others may have changed it meanwhile.
  private func finish(_ value: Any?) {
    let (began, now) = (self.began ?? "", book.text(of: field) ?? "")
    let typed = Book.text(value) ?? ""
    if typed == began, !began.isEmpty {
      delegate?.editFieldViewControllerDidCancel(self)
    } else if FieldConflict.exists(began: began, now: now, typed: typed) {
      ask(value, now: now)
    } else {
      delegate?.editFieldViewController(self, didSave: value)
    }
  }

  private func ask(_ value: Any?, now: String) {
    let theirs = book.text(of: field, in: locale) ?? ""
    let mine = Book.text(value, in: locale) ?? ""
    FieldConflict(field.label, theirs: theirs, mine: mine).ask(on: self) { [weak self] choice in
      guard let self else { return }
      switch choice {
      case .theirs: delegate?.editFieldViewControllerDidCancel(self)
      case .mine: delegate?.editFieldViewController(self, didSave: value)
      case .back: began = now
      }
    }
  }
}

extension EditFieldViewController: UITextFieldDelegate {
  func textFieldShouldReturn(_ textField: UITextField) -> Bool {
    save()
    return true
  }
}
