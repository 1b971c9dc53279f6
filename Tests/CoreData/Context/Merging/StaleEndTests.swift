import CoreData
import Testing

@testable import CoreDataSamples

/// An object is deleted whose other end was read before others made it lead there: nothing in the store leads to what is gone.
@Suite struct StaleEndTests {
  private static var policies: [(name: String, policy: NSMergePolicy)] {
    [
      ("error", .error), ("rollback", .rollback), ("overwrite", .overwrite),
      ("objects", .mergeByPropertyObjectTrump), ("store", .mergeByPropertyStoreTrump),
    ]
  }

  /// Which of the two ends is deleted.
  enum End: CaseIterable {
    case item, note
  }

  @Test(arguments: StoreKind.all, End.allCases)
  func nothingLeadsToWhatWasDeleted(_ kind: StoreKind, _ end: End) throws {
    for (name, policy) in Self.policies {
      let stack = try TestStack(kind)
      let (x, y) = (stack.makeContext(), stack.makeContext())
      y.mergePolicy = policy
      try ContextChain.inside([x, y]) {
        let item = x.makeItem("item")
        let note = x.insert("Note", ["text": "note"])
        try x.save()
        // Read before there is anything between them.
        let items = try y.items()
        let notes = try y.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        let stale: NSManagedObject = end == .note ? items[0] : notes[0]
        let deleted: NSManagedObject = end == .note ? notes[0] : items[0]
        _ = stale.value(forKey: end == .note ? "note" : "item")
        y.refresh(deleted, mergeChanges: false)
        item.setValue(note, forKey: "note")
        try x.save()
        y.refresh(deleted, mergeChanges: false)
        y.delete(deleted)
        do {
          try y.save()
          #expect(name != "error")
        } catch let error as NSError {
          #expect(name == "error" && error.code == NSManagedObjectMergeError, "\(name): \(error)")
        }
      }
      let found = try stack.withContext(RandomHistory.observe)
      let lead = found.items.values.compactMap(\.note)
      #expect(lead.allSatisfy(found.notes.contains), "\(name): \(found)")
      #expect(name != "error" || (lead == ["note"] && found.notes == ["note"]), "\(name): \(found)")
    }
  }
}
