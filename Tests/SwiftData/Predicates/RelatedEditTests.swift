import SwiftData
import Testing

/// Predicates through relationships see what the context has not saved of the related models: each edit × each form of
/// the question × each way to ask it, before the save and after it.
struct RelatedEditTests {
  enum Edit: CaseIterable { case none, value, anotherOwner, noOwner, deletion, newOwner, toy }

  private func edit(_ edit: Edit, _ pets: [Pets.Pet], _ context: ModelContext) {
    let owner = pets[0].owner
    switch edit {
    case .none: break
    case .value: owner?.name = "new"
    case .anotherOwner: pets[0].owner = pets[1].owner
    case .noOwner: owner?.pets = []
    case .deletion: if let owner { context.delete(owner) }
    case .newOwner: pets[2].owner = Pets.Owner(name: "new")
    case .toy: pets[0].toys.first?.name = "new"
    }
    context.processPendingChanges()
  }

  private static var predicates: [Predicate<Pets.Pet>] {
    [
      #Predicate { $0.owner?.name == "new" },
      #Predicate { $0.owner?.name == "Ann" },
      #Predicate { $0.owner?.name != "new" },
      #Predicate { ($0.owner?.age ?? 0) > 1 && $0.owner?.name == "new" },
      #Predicate { $0.owner == nil },
      #Predicate { $0.toys.contains { $0.name == "new" } },
      #Predicate { $0.toys.filter { $0.name == "ball" }.count == 1 },
      #Predicate {
        if let owner = $0.owner { owner.pets.contains { $0.name == "b" } } else { false }
      },
    ]
  }

  @Test(arguments: Edit.allCases)
  func predicatesSeeEditsOfRelatedModels(_ edit: Edit) throws {
    let context = try Pets.context()
    let owners = ["Ann", "Bea"].map { Pets.Owner(name: $0) }
    let pets = ["a", "b", "c"].map { Pets.Pet(name: $0) }
    for pet in pets { context.insert(pet) }
    for owner in owners { context.insert(owner) }
    (pets[0].owner, pets[1].owner) = (owners[0], owners[1])
    pets[0].toys = [Pets.Toy(name: "ball")]
    try context.save()
    self.edit(edit, pets, context)
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      for (number, predicate) in Self.predicates.enumerated() {
        let expected = try Pets.expected(predicate, pets)
        #expect(
          try context.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count,
          "\(number), saved \(isSaved)")
        for answer in try Pets.answers(predicate, context) {
          #expect(answer.names == expected, "\(number) by \(answer.way), saved \(isSaved)")
        }
      }
    }
  }

  /// Deleted by its context or by another, and read before the save, after it and by a new context.
  @Test(arguments: [false, true], [false, true])
  func aRelationshipWithoutInverseLosesADeletedMember(isSaved: Bool, isElsewhere: Bool) throws {
    let context = try Pets.context()
    let pet = Pets.Pet(name: "pet")
    context.insert(pet)
    pet.toys = ["ball", "bone", "rope"].map { Pets.Toy(name: $0) }
    if isSaved || isElsewhere { try context.save() }
    let other = isElsewhere ? ModelContext(context.container) : context
    let toys = try other.fetch(
      FetchDescriptor<Pets.Toy>(predicate: #Predicate { $0.name == "bone" }))
    other.delete(try #require(toys.first))
    if !isElsewhere {
      context.processPendingChanges()
      #expect(Set(pet.toys.map(\.name)) == ["ball", "rope"], "before the save")
    }
    try other.save()
    #expect(Set(pet.toys.map(\.name)) == ["ball", "rope"], "after it")
    pet.toys.append(Pets.Toy(name: "duck"))
    try context.save()
    #expect(Set(pet.toys.map(\.name)) == ["ball", "duck", "rope"], "with another")
    let reader = ModelContext(context.container)
    let read = try #require(try reader.fetch(FetchDescriptor<Pets.Pet>()).first)
    #expect(Set(read.toys.map(\.name)) == ["ball", "duck", "rope"], "read anew")
  }
}
