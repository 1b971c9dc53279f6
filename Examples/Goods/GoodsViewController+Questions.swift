import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// The list's questions to the user.
extension GoodsViewController {
  func askForGoods() {
    FieldsAlert(
      title: "Add goods", button: "Add",
      fields: [
        .init("Name"), .init("Number", keyboardType: .numberPad), .init("Category"),
      ], identifier: "add"
    ) { [weak self] texts in try self?.add(texts[0], texts[1], texts[2]) }.present(on: self)
  }

  private func add(_ name: String, _ number: String, _ category: String) throws {
    let goods = try Goods.insert(name: name, number: number, category: category, in: context)
    save("Add", name)
    guard let path = dataSource?.fetchedResultsController?.indexPath(forObject: goods) else {
      return
    }
    collectionView.scrollToItem(at: path, at: .centeredVertically, animated: true)
  }

  /// Asks for a category. A change moves the row to another section.
  func askForCategory(_ goods: Goods) {
    let field = FieldsAlert.Field("Category", goods.category ?? "")
    FieldsAlert(
      title: "Category of “\(goods.name ?? "")”", button: "Move", fields: [field],
      identifier: goods.restorationIdentifier.map { "category-\($0)" },
      now: {
        // Another window may have deleted the goods meanwhile.
        guard !goods.isDeleted, goods.managedObjectContext != nil else {
          throw Refusal("These goods have been deleted.")
        }
        return [goods.category ?? ""]
      }
    ) { [weak self] texts in
      guard let category = texts[0] else { return }
      goods.category = Goods.category(category)
      self?.save("Move", goods.name)
    }.present(on: self)
  }

  func askForImport() {
    guard importing == nil else { return showToast("An import is under way already") }
    let field = FieldsAlert.Field("Rows", "1000", keyboardType: .numberPad)
    FieldsAlert(
      title: "Import", message: "How many rows?", button: "Import", fields: [field],
      identifier: "import"
    ) { [weak self] texts in
      guard let count = Int(texts[0]), count > 0 else {
        throw Refusal("“\(texts[0])” is no number of rows.")
      }
      guard count <= Importer.mostRows else {
        throw Refusal("At most \(Importer.mostRows) rows are imported at once.")
      }
      self?.importRows(count)
    }.present(on: self)
  }

  private func importRows(_ count: Int) {
    guard importing == nil, let coordinator = context.persistentStoreCoordinator else { return }
    let background = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    background.persistentStoreCoordinator = coordinator
    background.transactionAuthor = context.transactionAuthor
    let importer = Importer(context: background)
    showProgress(0, of: count)
    importing = Task { [weak self] in
      do {
        try await importer.run(count) { [weak self] in self?.showProgress($0, of: count) }
        self?.endImport("\(count) rows imported")
      } catch is CancellationError {
        self?.endImport("The import was cancelled; \(self?.imported ?? 0) rows are here")
      } catch {
        self?.endImport(words(for: error))
      }
    }
  }

  /// Shows the progress of an import in the toolbar, with a button that cancels it.
  private func showProgress(_ done: Int, of count: Int) {
    imported = done
    let title = "Importing: \(done) of \(count) rows"
    if let progressLabel { return progressLabel.title = title }
    let label = UIBarButtonItem(title: title, primaryAction: nil)
    label.isEnabled = false
    let cancel = UIAction(title: "Cancel") { [weak self] _ in self?.importing?.cancel() }
    progressLabel = label
    otherItems = toolbarItems
    toolbarItems =
      [label, .flexibleSpace(), UIBarButtonItem(primaryAction: cancel)] + (toolbarItems ?? [])
    navigationController?.setToolbarHidden(false, animated: true)
  }

  private func endImport(_ text: String) {
    importing = nil
    progressLabel = nil
    toolbarItems = otherItems
    navigationController?.setToolbarHidden(otherItems == nil, animated: true)
    showToast(text)
  }
}

// Paths of windows contain the identifier of the question.
extension GoodsViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    switch identifier {
    case "add": askForGoods()
    case "import": askForImport()
    default:
      guard identifier.hasPrefix("category-"),
        let goods = context.object(
          withRestorationIdentifier: identifier.dropFirst("category-".count), entity: "Goods",
          as: Goods.self)
      else { return false }
      askForCategory(goods)
    }
    return true
  }
}
