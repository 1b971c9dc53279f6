import SwiftData

/// Models with a relationship that has an inverse, and one that has none.
enum Pets {
  @Model
  final class Owner {
    var name: String
    var age = 30
    @Relationship(inverse: \Pet.owner) var pets: [Pet] = []

    init(name: String) { self.name = name }
  }

  @Model
  final class Pet {
    var name: String
    var weight = 1.0
    var owner: Owner?
    /// Without an inverse.
    var toys: [Toy] = []

    init(name: String, owner: Owner? = nil) {
      self.name = name
      self.owner = owner
    }
  }

  @Model
  final class Toy {
    var name: String

    init(name: String) { self.name = name }
  }

  static func context() throws -> ModelContext {
    let schema = Schema([Owner.self, Pet.self, Toy.self])
    let configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    return ModelContext(try ModelContainer(for: schema, configurations: configuration))
  }

  /// What a fetch has to find: Swift's own answer for each model that is not deleted.
  static func expected(_ predicate: Predicate<Pet>, _ pets: [Pet]) throws -> Set<String> {
    let present = pets.filter { !$0.isDeleted && $0.modelContext != nil }
    return Set(try present.filter { try predicate.evaluate($0) }.map(\.name))
  }

  /// What each way to ask finds, by its name.
  static func answers(
    _ predicate: Predicate<Pet>, _ context: ModelContext
  ) throws -> [(way: String, names: Set<String>, count: Int)] {
    let descriptor = FetchDescriptor<Pet>(predicate: predicate)
    let fetched = try context.fetch(descriptor)
    let identifiers = try context.fetchIdentifiers(descriptor)
    let known = identifiers.compactMap { (context.model(for: $0) as? Pet)?.name }
    var seen: [String] = []
    try context.enumerate(descriptor) { seen.append($0.name) }
    var limited = descriptor
    limited.fetchLimit = 100
    let some = try context.fetch(limited)
    return [
      ("fetch", Set(fetched.map(\.name)), fetched.count),
      ("identifiers", Set(known), identifiers.count),
      ("enumerate", Set(seen), seen.count),
      ("limit", Set(some.map(\.name)), some.count),
    ]
  }
}
