import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension TodosViewController: UITextFieldDelegate {
  /// Return in the field above the list adds a todo.
  func textFieldShouldReturn(_ textField: UITextField) -> Bool {
    let title = Self.trimmed(textField.text)
    textField.text = ""
    if !title.isEmpty { add(title) }
    return false
  }

  private func add(_ title: String) {
    do {
      let todo = try Todo.insert(title: title, in: context)
      finish("Add “\(title)”")
      if let path = dataSource?.fetchedResultsController?.indexPath(forObject: todo) {
        tableView.scrollToRow(at: path, at: .none, animated: true)
      }
    } catch {
      tell(error)
    }
  }

  /// Ends an undo group.
  func finish(_ name: String) {
    context.undoManager?.setActionName(name)
    context.processPendingChanges()
  }

  static func trimmed(_ text: String?) -> String {
    (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension TodosViewController: FetchedResultsControllerDataSourceDelegate {
  func configure(_ cell: UITableViewCell, with todo: Todo) {
    guard let cell = cell as? TodoCell else { return }
    cell.show(
      todo,
      // The row retains its todo; possibly nothing else does.
      rename: { [weak self] title in self?.rename(todo, title) },
      complete: { [weak self] completed in self?.complete(todo, completed) })
  }

  func delete(_ todo: Todo) {
    let title = todo.title
    context.delete(todo)
    finish("Delete “\(title)”")
    tellDeleted(title, undoManager: context.undoManager, undo: context.undo)
  }

  /// Renames a todo; an empty title deletes it.
  private func rename(_ todo: Todo, _ text: String) {
    let title = Self.trimmed(text)
    guard !todo.isDeleted, todo.managedObjectContext != nil, title != todo.title else { return }
    if title.isEmpty { return delete(todo) }
    todo.title = title
    finish("Rename “\(title)”")
  }

  private func complete(_ todo: Todo, _ completed: Bool) {
    guard !todo.isDeleted, todo.managedObjectContext != nil else { return }
    todo.completed = completed
    finish(completed ? "Complete “\(todo.title)”" : "Reopen “\(todo.title)”")
  }

  // MARK: - All at once

  func completeAll() {
    change(toggleAll.isOn ? .active : .completed, toggleAll.isOn ? "Complete All" : "Reopen All") {
      $0.completed.toggle()
    }
  }

  func clearCompleted() { change(.completed, "Clear Completed", context.delete) }

  private func change(_ filter: TodoFilter, _ name: String, _ change: (Todo) -> Void) {
    do {
      for todo in try context.fetch(filter.request) { change(todo) }
      finish(name)
    } catch {
      tell(error)
    }
  }
}
