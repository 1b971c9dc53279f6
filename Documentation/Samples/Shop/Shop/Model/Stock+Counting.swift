import CoreData

extension Stock {
  func count() throws -> Int {
    try container.viewContext.count(for: NSFetchRequest<Article>(entityName: "Article"))
  }

  /// Saves when the application leaves the screen.
  func saveInBackground() {
    ProcessInfo.processInfo.performExpiringActivity(withReason: "Stock") { isExpired in
      if !isExpired { try? self.container.viewContext.save() }
    }
  }
}
