import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// All books, in a section for each author.
final class BookListViewController: UITableViewController {
  let context: NSManagedObjectContext
  private(set) var dataSource: FetchedResultsControllerDataSource<Book>?

  init(context: NSManagedObjectContext) {
    self.context = context
    super.init(style: .plain)
    title = "Books"
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "Book")
    let emptyView = EmptyView(frame: .zero)
    tableView.backgroundView = emptyView
    emptyView.show(
      "No books yet", explanation: "Books stand here by their authors.",
      action: UIAction(title: "Add a book") { [weak self] _ in self?.addBook() })
    let dataSource = FetchedResultsControllerDataSource<Book>(
      tableView: tableView, reuseIdentifier: "Book")
    self.dataSource = dataSource
    dataSource.delegate = self
    dataSource.onError = { [weak self, weak emptyView] error in
      emptyView?.showFailure(of: "The books") { [weak self] in self?.dataSource?.reload() }
      self.map { ErrorAlert("The books could not be read", error).present(on: $0) }
    }
    dataSource.fetchedResultsController = makeController()
    let add = UIAction { [weak self] _ in self?.addBook() }
    navigationItem.rightBarButtonItem = UIBarButtonItem(systemItem: .add, primaryAction: add)
  }

  private func makeController() -> NSFetchedResultsController<Book> {
    let request = Book.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(key: "author", ascending: true),
      NSSortDescriptor(key: "title", ascending: true),
    ]
    request.fetchBatchSize = 50
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "author",
      cacheName: nil)
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    if let book = dataSource?.object(at: indexPath) { show(book) }
  }

  private func show(_ book: Book) {
    defer { if columnsController?.isCollapsed == false { columnsController?.markChosen() } }
    guard shownPage?.book !== book, endsEditing() else { return }
    let page = BookViewController(book: book, context: context)
    columnsController?.showNext(page, from: self)
  }

  /// The book that stands beside the list.
  private var shownPage: BookViewController? {
    guard let columns = columnsController, !columns.isCollapsed else { return nil }
    return columns.chosen(in: .secondary) as? BookViewController
  }

  /// Ends the editing of the book beside the list, which saves it. Returns false if it goes on.
  func endsEditing() -> Bool { shownPage?.endsEditing() ?? true }

  func save() {
    do { try context.save() } catch {
      ErrorAlert("The books were not saved", error).present(on: self)
    }
  }
}

extension BookListViewController: FetchedResultsControllerDataSourceDelegate {
  func configure(_ cell: UITableViewCell, with book: Book) {
    var content = UIListContentConfiguration.subtitleCell()
    content.text = book.title
    content.secondaryText = book.text(of: .copyright, in: locale)
    cell.contentConfiguration = content
    cell.accessoryType = .disclosureIndicator
    cell.restorationIdentifier = book.restorationIdentifier
  }

  /// Deletes the book at once; the message brings it back.
  func delete(_ book: Book) {
    guard endsEditing() else { return }
    if let page = shownPage, page.book === book { columnsController?.leave(page) }
    let title = book.title ?? ""
    let deletion = UndoManager()
    change(by: deletion) {
      context.delete(book)
      deletion.setActionName("Delete “\(title)”")
    }
    tellDeleted(title, undoManager: deletion) { [weak self] in
      self?.bringBack(title, by: deletion)
    }
  }

  /// A book that is being edited stays unsaved: its page has the context's undo manager.
  private func bringBack(_ title: String, by deletion: UndoManager) {
    guard context.undoManager == nil else {
      return showToast("“\(title)” was not brought back, since a book is being edited")
    }
    change(by: deletion) { deletion.undo() }
  }

  /// Saves a change that an undo manager of its own can take back.
  private func change(by manager: UndoManager, _ change: () -> Void) {
    context.undoManager = manager
    change()
    context.undoManager = nil
    save()
  }
}

extension BookListViewController: ColumnList {
  func indexPath(ofRowLeadingTo identifier: String) -> IndexPath? {
    book(identifier).flatMap { dataSource?.fetchedResultsController?.indexPath(forObject: $0) }
  }

  private func book(_ identifier: String) -> Book? {
    context.object(withRestorationIdentifier: identifier[...], entity: "Book", as: Book.self)
  }
}

// Paths of windows contain the restoration identifier of the book.
extension BookListViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    let book = book(identifier)
    guard book != nil || identifier == "new" else { return false }
    if let book { show(book) } else { addBook() }
    return true
  }
}
