import SwiftData
import Testing

/// Models are found by their identifiers whatever the store knows of them: each state of a model and of the model that
/// it leads to × each form of the question × each way to ask it.
struct IdentifierPredicateTests {
  enum State: CaseIterable { case pending, saved, changed, deleted }

  private struct Pair {
    let context: ModelContext
    let pet: Pets.Pet
    let owner: Pets.Owner
    let all: [Pets.Pet]
  }

  private func pair(_ petState: State, _ ownerState: State) throws -> Pair {
    let context = try Pets.context()
    let other = Pets.Pet(name: "other", owner: Pets.Owner(name: "of other"))
    let stray = Pets.Pet(name: "stray")
    for model in [other, stray] { context.insert(model) }
    let (owner, pet) = (Pets.Owner(name: "owner"), Pets.Pet(name: "pet"))
    if ownerState != .pending { context.insert(owner) }
    if petState != .pending { context.insert(pet) }
    if petState != .pending, ownerState != .pending { pet.owner = owner }
    try context.save()
    if ownerState == .pending { context.insert(owner) }
    if petState == .pending { context.insert(pet) }
    if pet.owner == nil { pet.owner = owner }
    if petState == .changed { pet.weight = 2 }
    if ownerState == .changed { owner.age = 31 }
    if ownerState == .deleted { context.delete(owner) }
    if petState == .deleted { context.delete(pet) }
    context.processPendingChanges()
    return Pair(context: context, pet: pet, owner: owner, all: [other, stray, pet])
  }

  private func predicates(_ pair: Pair) -> [(form: String, predicate: Predicate<Pets.Pet>)] {
    let (id, ownerID) = (pair.pet.persistentModelID, pair.owner.persistentModelID)
    let (ids, ownerIDs) = ([id, pair.all[0].persistentModelID], [ownerID])
    let set = Set(ids)
    return [
      ("==", #Predicate { $0.persistentModelID == id }),
      ("id ==", #Predicate { $0.id == id }),
      ("!=", #Predicate { $0.persistentModelID != id }),
      ("!(==)", #Predicate { !($0.persistentModelID == id) }),
      ("in", #Predicate { ids.contains($0.persistentModelID) }),
      ("in a set", #Predicate { set.contains($0.persistentModelID) }),
      ("not in", #Predicate { !ids.contains($0.persistentModelID) }),
      ("with a value", #Predicate { $0.persistentModelID == id && $0.weight >= 1 }),
      ("owner ==", #Predicate { $0.owner?.persistentModelID == ownerID }),
      ("owner !=", #Predicate { $0.owner?.persistentModelID != ownerID }),
      (
        "owner in",
        #Predicate { $0.owner.flatMap { ownerIDs.contains($0.persistentModelID) } ?? false }
      ),
      (
        "owner's pets",
        #Predicate {
          if let owner = $0.owner {
            owner.pets.contains { $0.persistentModelID == id }
          } else {
            false
          }
        }
      ),
    ]
  }

  @Test(arguments: State.allCases, State.allCases)
  func aModelIsFoundByItsIdentifier(_ pet: State, _ owner: State) throws {
    let pair = try pair(pet, owner)
    for (form, predicate) in predicates(pair) {
      let expected = try Pets.expected(predicate, pair.all)
      let count = try pair.context.fetchCount(FetchDescriptor(predicate: predicate))
      #expect(count == expected.count, "\(form): count")
      for answer in try Pets.answers(predicate, pair.context) {
        #expect(
          answer.names == expected && answer.count == expected.count, "\(form): \(answer.way)")
      }
    }
  }

  /// The identifier of a model changes with its first save: the former one is of no model then, here as in Swift.
  @Test func aFormerIdentifierIsOfNoModel() throws {
    let context = try Pets.context()
    let pet = Pets.Pet(name: "pet")
    context.insert(pet)
    let former = pet.persistentModelID
    try context.save()
    let predicate = #Predicate<Pets.Pet> { $0.persistentModelID == former }
    #expect(try predicate.evaluate(pet) == false)
    #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == 0)
  }
}
