import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// The form for a new book. The book is in a child context, which is saved into the list's or
// discarded with the form.
extension BookListViewController {
  func addBook() {
    guard endsEditing() else { return }
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child.parent = context
    let book = Book(context: child)
    FormViewController(
      title: "New Book", button: "Save", fields: BookField.allCases.map(\.formField),
      identifier: "new", note: "A book has all three."
    ) { [weak self] texts in
      for (field, text) in zip(BookField.allCases, texts) { book.set(field, to: text) }
      try child.save()
      self?.take(book.objectID)
    }.present(on: self)
  }

  /// Saves the list's context: the form has saved the book into it, but not into the store.
  private func take(_ bookID: NSManagedObjectID) {
    save()
    guard let book = context.object(with: bookID) as? Book,
      let path = dataSource?.fetchedResultsController?.indexPath(forObject: book)
    else { return }
    tableView.scrollToRow(at: path, at: .none, animated: true)
  }
}
