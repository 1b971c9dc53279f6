import Combine
import CoreData
import UIKit
import os

final class Stock: NSObject, ObservableObject {
  @Published private(set) var saves = 0
  let container = NSPersistentContainer(name: "Shop")
  private let logger = Logger(subsystem: "org.example.shop", category: "stock")

  init(inMemory: Bool = false) {
    super.init()
    if inMemory {
      container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
    }
    container.loadPersistentStores { [logger] _, error in
      if let error { logger.fault("No store: \(error.localizedDescription, privacy: .public)") }
    }
    NotificationCenter.default.addObserver(
      self, selector: #selector(didSave(_:)), name: .NSManagedObjectContextDidSave,
      object: container.viewContext)
  }

  @objc private func didSave(_ notification: Notification) {
    saves += 1
  }

  func sell(_ count: Int64, of name: String) throws {
    let request = NSFetchRequest<Article>(entityName: "Article")
    request.predicate = NSPredicate(format: "%K == %@", #keyPath(Article.name), name)
    guard let article = try container.viewContext.fetch(request).first, article.stock >= count else {
      logger.notice("Sold out: \(name)")
      throw SoldOut()
    }
    article.stock -= count
    try container.viewContext.save()
  }
}

struct SoldOut: Error {}
