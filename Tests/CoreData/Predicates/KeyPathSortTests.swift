import CoreData
import Testing

@testable import CoreDataSamples

/// A sort by a Swift key path is by that path or an error, never by a part of it.
@Suite struct KeyPathSortTests {
  /// A client's incremental store sorts as it likes.
  @Test(arguments: StoreKind.all.filter { $0 != .clientIncremental })
  func aPathIntoAValueIsAnError(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let root = context.makeItem("aaa", order: 1)
      context.makeItem("b", order: 2, in: root)
      try context.save()
      let request = NSFetchRequest<Item>(entityName: "Item")
      for descriptor in [
        NSSortDescriptor(keyPath: \Item.order.nonzeroBitCount, ascending: true),
        NSSortDescriptor(keyPath: \Item.title?.count, ascending: true),
        NSSortDescriptor(keyPath: \Item.parent?.title?.count, ascending: true),
        NSSortDescriptor(SortDescriptor(\Item.title?.count)),
      ] {
        request.sortDescriptors = [descriptor]
        #expect(descriptor.key == nil)
        #expect(throws: NSError.self) { try context.fetch(request) }
      }
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Item.parent?.title, ascending: false)]
      #expect(try context.fetch(request).map(\.order) == [2, 1])
    }
  }
}
