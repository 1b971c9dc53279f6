import CoreData
import Testing

@testable import CoreDataSamples

/// ANY and ALL over to-one relationships have one value to compare, which may be nil, as SQL has:
/// saved or not, and with unsaved objects beside it or not, in every store.
@Suite struct OneValueTests {
  private static let cases: [(format: String, found: [String])] = [
    ("ANY parent.title == 'top'", ["child"]), ("ANY parent.title == nil", ["none", "top"]),
    ("ANY parent.title != nil", ["child", "grandchild"]),
    ("ALL parent.title == 'top'", ["child"]), ("ALL parent.title == nil", ["none", "top"]),
    ("ANY parent.parent.title == nil", ["child", "none", "top"]),
    ("ANY parent.parent.title == 'top'", ["grandchild"]), ("ANY parent == nil", ["none", "top"]),
    ("ANY title == nil", []), ("ANY parent.title IN {'top', 'none'}", ["child"]),
    ("NOT ANY parent.title == nil", ["child", "grandchild"]),
  ]

  enum Memory: CaseIterable, Sendable { case unsaved, saved, savedBesideUnsaved }

  @Test(arguments: StoreKind.all, Memory.allCases)
  func isComparedAsSQLDoes(_ kind: StoreKind, _ memory: Memory) throws {
    try TestStack(kind).withContext { context in
      let top = context.makeItem("top")
      let child = context.makeItem("child", in: top)
      _ = (context.makeItem("none"), context.makeItem("grandchild", in: child))
      if memory != .unsaved { try context.save() }
      if memory == .savedBesideUnsaved {
        _ = context.makeItem("unsaved", in: context.makeItem("other"))
      }
      for (format, found) in Self.cases {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = NSPredicate(format: format)
        let titles = try context.fetch(request).compactMap(\.title)
          .filter { $0 != "unsaved" && $0 != "other" }
        #expect(titles.sorted() == found, "\(format)")
      }
    }
  }
}
