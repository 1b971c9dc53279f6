import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// What the list asks its user.
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

  /// Another category is another section: the row moves there.
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
    let field = FieldsAlert.Field("Rows", "1000", keyboardType: .numberPad)
    FieldsAlert(
      title: "Import", message: "How many rows?", button: "Import", fields: [field],
      identifier: "import"
    ) { [weak self] texts in
      guard let count = Int(texts[0]), count > 0 else {
        throw Refusal("“\(texts[0])” is no number of rows.")
      }
      self?.importRows(count)
    }.present(on: self)
  }

  private func importRows(_ count: Int) {
    guard let coordinator = context.persistentStoreCoordinator else { return }
    let importer = Importer(coordinator: coordinator)
    Task { [weak self] in
      do {
        try await importer.run(count)
        self?.showToast("\(count) rows imported")
      } catch {
        self?.show(error)
      }
    }
  }
}

// Each question has a name in the place of the window.
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
