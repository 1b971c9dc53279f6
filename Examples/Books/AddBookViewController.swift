import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Receives the outcome of a form for a new book; the delegate dismisses the form.
@MainActor
protocol AddBookViewControllerDelegate: AnyObject {
  /// Called after saving. The book is in the parent context, which still has to be saved.
  func addBookViewController(
    _ controller: AddBookViewController, didAdd bookID: NSManagedObjectID)
  func addBookViewControllerDidCancel(_ controller: AddBookViewController)
}

/// A form for a new book. The book is in a child context, which is saved into its parent or
/// discarded with this controller.
final class AddBookViewController: UITableViewController {
  weak var delegate: (any AddBookViewControllerDelegate)?
  private let context: NSManagedObjectContext
  private let book: Book
  private var cells: [UITableViewCell] = []

  init(parent: NSManagedObjectContext) {
    context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.parent = parent
    book = Book(context: context)
    super.init(style: .insetGrouped)
    title = "New Book"
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    navigationItem.leftBarButtonItem = UIBarButtonItem(
      systemItem: .cancel, primaryAction: UIAction { [weak self] _ in self?.cancel() })
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      systemItem: .save, primaryAction: UIAction { [weak self] _ in self?.save() })
    cells = [makeTextCell(.title), makeTextCell(.author), makeDateCell()]
  }

  private func cancel() { delegate?.addBookViewControllerDidCancel(self) }

  private func save() {
    do {
      try context.save()
      delegate?.addBookViewController(self, didAdd: book.objectID)
    } catch {
      ErrorAlert("The book was not saved", error).present(on: self)
    }
  }

  // MARK: - Rows

  private func makeTextCell(_ field: BookField) -> UITableViewCell {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    cell.textLabel?.text = field.label
    let textField = UITextField()
    textField.placeholder = "Required"
    let typed = UIAction { [weak self, weak textField] _ in
      self?.take(Book.value(of: textField?.text), for: field)
    }
    textField.addAction(typed, for: .editingChanged)
    cell.contentView.addSubview(textField)
    return cell
  }

  private func makeDateCell() -> UITableViewCell {
    let cell = UITableViewCell(style: .value1, reuseIdentifier: nil)
    cell.textLabel?.text = BookField.copyright.label
    cell.detailTextLabel?.text = "Not set"
    cell.accessoryType = .disclosureIndicator
    return cell
  }

  /// Sets a value. A form with any value cannot be dismissed without a question.
  private func take(_ value: Any?, for field: BookField) {
    book.setValue(value, forKey: field.key)
    isModalInPresentation = BookField.allCases.contains { book.text(of: $0) != nil }
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    cells.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell { cells[indexPath.row] }

  override func tableView(
    _ tableView: UITableView, titleForFooterInSection section: Int
  ) -> String? { "A book has all three." }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    if BookField.allCases[indexPath.row] == .copyright { askForDay() }
  }

  private func askForDay() {
    let page = EditFieldViewController(book: book, field: .copyright)
    page.delegate = self
    navigationController?.pushViewController(page, animated: true)
  }
}

extension AddBookViewController: EditFieldViewControllerDelegate {
  func editFieldViewController(_ controller: EditFieldViewController, didSave value: Any?) {
    take(value, for: controller.field)
    cells.last?.detailTextLabel?.text = book.text(of: .copyright, in: locale)
    navigationController?.popViewController(animated: true)
  }

  func editFieldViewControllerDidCancel(_ controller: EditFieldViewController) {
    navigationController?.popViewController(animated: true)
  }
}

extension AddBookViewController: UIAdaptivePresentationControllerDelegate {
  /// Escape, or a click outside of the form, after a value was entered.
  func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController
  ) {
    let question = UIAlertController(
      title: "This book is not saved", message: nil, preferredStyle: .actionSheet)
    question.addAction(
      UIAlertAction(title: "Discard", style: .destructive) { [weak self] _ in self?.cancel() })
    question.addAction(UIAlertAction(title: "Keep Editing", style: .cancel))
    present(question, animated: true)
  }
}

extension AddBookViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    guard identifier == BookField.copyright.rawValue else { return false }
    askForDay()
    return true
  }
}
