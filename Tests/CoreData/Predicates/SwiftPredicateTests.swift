import CoreData
import Testing

@testable import CoreDataSamples

extension Item {
  private static let membersProperty = ManagedProperty("children")

  fileprivate var members: Set<Item>? { managedValue(Self.membersProperty) }
}

/// `#Predicate`, `#Expression` and `SortDescriptor` over managed objects, in fetches.
@Suite struct SwiftPredicateTests {
  private func withItems(
    _ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let root = context.makeItem("Root", order: 1)
      let leaf = context.makeItem("leaf", order: 2, in: root)
      context.makeItem("Leaf of leaf", order: 3, in: leaf)
      let untitled = context.makeItem("", order: 4, in: root)
      untitled.title = nil
      try context.save()
      try body(context)
    }
  }

  private func expect(
    _ predicate: Predicate<Item>, _ orders: [Int64], _ context: NSManagedObjectContext,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let request = NSFetchRequest<Item>(entityName: "Item")
    let converted = try NSPredicate(converting: predicate)
    request.predicate = converted
    let found = try context.fetch(request).map(\.order).sorted()
    #expect(found == orders, "\(converted)", sourceLocation: location)
  }

  @Test(arguments: StoreKind.builtIn) func comparisonsAreConverted(_ kind: StoreKind) throws {
    try withItems(kind) { context in
      let (least, title, wanted) = (Int64(2), "leaf", [Int64(1), 4])
      try expect(#Predicate { $0.order > least }, [3, 4], context)
      try expect(#Predicate { $0.order >= 2 && !($0.order == 3) }, [2, 4], context)
      try expect(#Predicate { $0.title == title || $0.title == nil }, [2, 4], context)
      try expect(#Predicate { $0.title != nil }, [1, 2, 3], context)
      try expect(#Predicate { wanted.contains($0.order) }, [1, 4], context)
      try expect(#Predicate { (2...3).contains($0.order) }, [2, 3], context)
      try expect(#Predicate { (2..<3).contains($0.order) }, [2], context)
      try expect(#Predicate { $0.order * 2 - 1 == 5 }, [3], context)
      try expect(#Predicate { $0.order % 2 == 0 }, [2, 4], context)
      try expect(#Predicate { $0.order / 2 == 1 }, [2, 3], context)
      try expect(#Predicate { -$0.order == -1 }, [1], context)
      try expect(#Predicate { _ in true }, [1, 2, 3, 4], context)
      try expect(#Predicate { ($0.order > 2 ? $0.order : 0) == 3 }, [3], context)
    }
  }

  @Test(arguments: StoreKind.builtIn) func optionalsAreConverted(_ kind: StoreKind) throws {
    try withItems(kind) { context in
      try expect(#Predicate { $0.parent == nil }, [1], context)
      try expect(#Predicate { $0.parent?.title == "Root" }, [2, 4], context)
      try expect(#Predicate { $0.parent?.parent?.order == 1 }, [3], context)
      try expect(#Predicate { ($0.title ?? "none") == "none" }, [4], context)
      try expect(#Predicate { ($0.parent?.order ?? 0) > 1 }, [3], context)
      try expect(#Predicate { $0.title?.isEmpty == false }, [1, 2, 3], context)
      try expect(
        #Predicate { item in
          if let parent = item.parent { parent.order == 1 } else { false }
        }, [2, 4], context)
      try expect(
        #Predicate { item in
          if let parent = item.parent { parent.order == 1 } else { true }
        }, [1, 2, 4], context)
    }
  }

  @Test(arguments: StoreKind.builtIn) func stringsAreConverted(_ kind: StoreKind) throws {
    let same = ComparisonResult.orderedSame
    try withItems(kind) { context in
      try expect(#Predicate { $0.title?.contains("eaf") == true }, [2, 3], context)
      try expect(#Predicate { $0.title?.starts(with: "L") == true }, [3], context)
      try expect(
        #Predicate { $0.title?.localizedStandardContains("LEAF") == true }, [2, 3], context)
      try expect(#Predicate { ($0.title ?? "").localizedStandardContains("ROOT") }, [1], context)
      try expect(#Predicate { ($0.title ?? "").count > 4 }, [3], context)
      try expect(
        #Predicate { ($0.title ?? "").caseInsensitiveCompare("LEAF") == same }, [2], context)
    }
  }

  @Test(arguments: StoreKind.builtIn) func collectionsAreConverted(_ kind: StoreKind) throws {
    try withItems(kind) { context in
      try expect(#Predicate { $0.members!.contains { $0.title == "leaf" } }, [1], context)
      try expect(
        #Predicate { item in item.members!.contains { $0.order == item.order + 1 } }, [1, 2],
        context)
      try expect(
        #Predicate { $0.members!.contains { $0.members!.contains { $0.order == 3 } } }, [1], context
      )
      try expect(#Predicate { $0.members!.allSatisfy { $0.order > 2 } }, [2, 3, 4], context)
      try expect(#Predicate { $0.members!.filter { $0.order > 1 }.count == 2 }, [1], context)
      try expect(#Predicate { $0.members!.isEmpty }, [3, 4], context)
      try expect(#Predicate { $0.members?.isEmpty == true }, [3, 4], context)
      try expect(#Predicate { !$0.members!.isEmpty }, [1, 2], context)
      try expect(#Predicate { $0.members!.count == 1 }, [2], context)
    }
  }

  @Test func expressionsAndSortDescriptorsAreConverted() throws {
    try withItems(.sqlite) { context in
      let doubled = try #require(NSExpression(#Expression<Item, Int64> { $0.order * 2 }))
      #expect("\(doubled)" == "order * 2")
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.sortDescriptors = [
        NSSortDescriptor(SortDescriptor(\Item.title)),
        NSSortDescriptor(SortDescriptor(\Item.order, order: .reverse)),
      ]
      #expect(try context.fetch(request).map(\.order) == [4, 2, 3, 1])
      #expect(request.sortDescriptors?.map(\.key) == ["title", "order"])
    }
  }

  @Test func whatHasNoCounterpartIsNamed() throws {
    try withItems(.sqlite) { _ in
      let error = #expect(throws: PredicateConversionError.self) {
        try NSPredicate(converting: #Predicate<Item> { $0.order.nonzeroBitCount == 1 })
      }
      #expect("\(error!)".contains("key path"), "\(error!)")
      #expect(NSPredicate(#Predicate<Item> { $0.order.nonzeroBitCount == 1 }) == nil)
    }
  }
}
