import SwiftData
import Testing

/// Identifiers as sort keys: in the order in which they compare, pending ones included.
struct IdentifierSortTests {
  private static func descriptors(
    _ order: SortOrder
  ) -> [(name: String, descriptors: [SortDescriptor<Pets.Pet>])] {
    [
      ("persistentModelID", [SortDescriptor(\.persistentModelID, order: order)]),
      ("id", [SortDescriptor(\.id, order: order)]),
      (
        "after a value",
        [SortDescriptor(\.weight), SortDescriptor(\.persistentModelID, order: order)]
      ),
    ]
  }

  @Test(arguments: [SortOrder.forward, .reverse], [0, 1, 5])
  func modelsAreInTheOrderOfTheirIdentifiers(_ order: SortOrder, _ pending: Int) throws {
    let context = try Pets.context()
    for number in 0..<12 {
      let pet = Pets.Pet(name: "\(number)")
      pet.weight = Double(number % 3)
      context.insert(pet)
    }
    try context.save()
    for number in 0..<pending { context.insert(Pets.Pet(name: "new \(number)")) }
    if pending > 0 { try context.fetch(FetchDescriptor<Pets.Pet>()).first?.name = "changed" }
    for (name, descriptors) in Self.descriptors(order) {
      for limit in [nil, 4] {
        var descriptor = FetchDescriptor<Pets.Pet>(sortBy: descriptors)
        descriptor.fetchLimit = limit
        let found = try context.fetch(descriptor)
        #expect(found.count == limit ?? 12 + pending)
        let isInOrder = zip(found, found.dropFirst()).allSatisfy { left, right in
          if descriptors.count == 2, left.weight != right.weight {
            return left.weight < right.weight
          }
          let (one, other) = (left.persistentModelID, right.persistentModelID)
          return order == .forward ? one < other : other < one
        }
        #expect(isInOrder, "\(name), limit \(String(describing: limit)): \(found.map(\.name))")
      }
    }
  }

  @Test func modelsOfATreeAreInTheOrderOfTheirIdentifiers() throws {
    let schema = Schema([Animal.self, Dog.self, Puppy.self, Bird.self, Keeper.self])
    let context = ModelContext(
      try ModelContainer(
        for: schema,
        configurations: ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)))
    for number in 0..<4 {
      context.insert(Dog(name: "dog \(number)", tricks: 1))
      context.insert(Bird(name: "bird \(number)"))
      context.insert(Puppy(name: "puppy \(number)"))
      if number == 2 { try context.save() }
    }
    for order in [SortOrder.forward, .reverse] {
      let found = try context.fetch(
        FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.persistentModelID, order: order)]))
      let sorted = found.map(\.persistentModelID).sorted()
      #expect(found.count == 12)
      #expect(found.map(\.persistentModelID) == (order == .forward ? sorted : sorted.reversed()))
    }
  }

  @Test func aRelatedIdentifierIsASortKey() throws {
    let context = try Pets.context()
    let owners = (0..<3).map { Pets.Owner(name: "\($0)") }
    for owner in owners { context.insert(owner) }
    try context.save()
    for number in [2, 0, 1] {
      context.insert(Pets.Pet(name: "of \(number)", owner: owners[number]))
    }
    context.insert(Pets.Pet(name: "stray"))
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      let found = try context.fetch(
        FetchDescriptor<Pets.Pet>(sortBy: [SortDescriptor(\.owner?.persistentModelID)]))
      let ids = found.compactMap { $0.owner?.persistentModelID }
      #expect(found.first?.name == "stray" && ids == ids.sorted() && ids.count == 3)
    }
  }
}
