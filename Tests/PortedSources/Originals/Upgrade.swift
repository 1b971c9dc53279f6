import CoreData

/// Asked by a mapping's expressions.
class BookUpgrade: NSEntityMigrationPolicy {
  @objc func title(forOldTitle title: String, manager: NSMigrationManager) -> String {
    "\(title), \(manager.sourceModel.entities.count)"
  }
  @objc(longer:) func isLonger(_ title: String) throws -> Bool {
    if title.isEmpty { throw BookError.untitled }
    return title.count > 3
  }
}

/// Answers some by name, the others of its superclass by itself.
class FineUpgrade: BookUpgrade {
  @objc func price() -> Int { 5 }
  override func value(forSelector selector: String, arguments: [Any?]) throws -> Any? {
    selector == "own:" ? arguments[0] : try super.value(forSelector: selector, arguments: arguments)
  }
}

class Ranked: NSObject {
  let rank: Int
  init(_ rank: Int) { self.rank = rank }
  @objc func isAbove(_ other: Ranked) -> Bool { rank > other.rank }
}
