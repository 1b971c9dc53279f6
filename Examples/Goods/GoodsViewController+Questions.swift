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
    FormViewController(
      title: "Add goods", button: "Add",
      fields: [
        FormField("name", label: "Name"), FormField("number", label: "Number", kind: .whole),
        FormField("category", label: "Category"),
      ], identifier: "add"
    ) { [weak self] texts in try self?.add(texts[0], texts[1], texts[2]) }.present(on: self)
  }

  private func add(_ name: String, _ number: String, _ category: String) throws {
    let goods = try Goods.insert(
      name: name, number: number, category: category, in: context, locale: locale)
    save("Add", name)
    guard let path = dataSource?.fetchedResultsController?.indexPath(forObject: goods) else {
      return
    }
    collectionView.scrollToItem(at: path, at: .centeredVertically, animated: true)
  }

  /// Asks for a category. A change moves the row to another section.
  func askForCategory(_ goods: Goods) {
    let field = FormField("category", label: "Category", text: goods.category ?? "")
    FormViewController(
      title: "Move goods", button: "Move", fields: [field],
      identifier: goods.restorationIdentifier.map { "category-\($0)" },
      note: "“\(goods.name ?? "")” goes to this category. Without one it is among “Other”.",
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
    let field = FormField("rows", label: "Rows", text: "1000", kind: .whole)
    FormViewController(
      title: "Import", button: "Import", fields: [field], identifier: "import",
      note: "So many made-up goods are added in the background."
    ) { [weak self] texts in
      var refusals = Refusals()
      let most = Importer.mostRows
      let count = try refusals.value(of: "rows") {
        try Numeral.whole(texts[0], in: 1...most, locale: self?.locale ?? .current)
      }
      try refusals.throwIfAny()
      if let count { self?.importRows(count) }
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
