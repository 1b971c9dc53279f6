import Foundation
import SwiftData
import TestSupport
import Testing

/// A store in JSON and the default store are the same to a context, whatever is done.
@Suite struct GeneratedStoreTests {
  @Test(arguments: Sample.of(0..<6))
  func customStoresAreLikeTheDefaultStore(_ part: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let steps = environment["STORE_STEPS"].flatMap(Int.init) ?? 120
    let seed = environment["STORE_SEED"].flatMap(UInt64.init) ?? 20_261_123
    print("GeneratedStoreTests: part \(part) of seed \(seed)")
    try LibraryStore.withFile { file in
      let folder = file.deletingLastPathComponent()
      let worlds = try StoreWorld.Kind.allCases.map { try StoreWorld($0, in: folder) }
      var operations = StoreOperations(seed: seed &+ UInt64(part) &* 7919)
      var history: [String] = []
      var found = 0
      for _ in 0..<steps {
        let step = operations.step()
        history.append(step.words)
        for world in worlds { try step.run(world) }
        let question = operations.question()
        let note = Comment(
          rawValue: "STORE_SEED=\(seed), part \(part), step \(history.count): \(question.words)\n"
            + history.joined(separator: "\n"))
        let answers = try worlds.map { try titles(question, $0) }
        found += answers[0].count
        let counts = try worlds.map { try $0.context.fetchCount(question.descriptor) }
        let descriptions = try worlds.map { try $0.description() }
        let changes = worlds.map(\.context.hasChanges)
        guard answers[0] == answers[1], counts[0] == counts[1], changes[0] == changes[1],
          descriptions[0] == descriptions[1]
        else {
          #expect(answers[0] == answers[1], note)
          #expect(counts[0] == counts[1], note)
          #expect(changes[0] == changes[1], note)
          #expect(descriptions[0] == descriptions[1], note)
          return
        }
      }
      // Questions that find nothing are answered alike by chance.
      #expect(found > steps / 4)
    }
  }

  /// A store that leaves predicates to memory finds what Swift finds.
  @Test func generatedPredicatesFindTheSame() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["PREDICATE_SEED"].flatMap(UInt64.init) ?? 20_261_123
    print("GeneratedStoreTests: predicates of seed \(seed)")
    try LibraryStore.withFile { file in
      let store = try VolumeStore(json: file)
      var generator = PredicateGenerator(seed: seed)
      for number in 0..<120 {
        let predicate = generator.predicate(depth: number % 4)
        let note = "PREDICATE_SEED=\(seed), number \(number): \(predicate.expression)"
        if try !store.expectAgreement(predicate, note).holds { return }
      }
    }
  }

  @Test func subclassesAreFetchedWithTheirBase() throws {
    try LibraryStore.withFile { file in
      func open() throws -> ModelContext {
        ModelContext(
          try ModelContainer(
            for: Animal.self, Dog.self, Puppy.self, Keeper.self,
            configurations: JSONStoreConfiguration(name: "animals", url: file)))
      }
      let context = try open()
      let dog = Dog(name: "D", tricks: 2)
      let puppy = Puppy(name: "P")
      puppy.friends = [dog]
      context.insert(Animal(name: "A"))
      context.insert(puppy)
      try context.save()
      let again = try open()
      func names<M: Animal & PersistentModel>(_ type: M.Type) throws -> [String] {
        try again.fetch(FetchDescriptor<M>(sortBy: [SortDescriptor(\M.name)])).map(\.name)
      }
      #expect(try names(Animal.self) == ["A", "D", "P"])
      #expect(try names(Dog.self) == ["D", "P"] && names(Puppy.self) == ["P"])
      let puppies = try again.fetch(
        FetchDescriptor<Animal>(predicate: #Predicate { $0 is Dog && $0.name != "D" }))
      #expect(puppies.map { type(of: $0) == Puppy.self } == [true])
      #expect((puppies.first as? Puppy)?.friends.first?.tricks == 2)
      try again.delete(model: Dog.self, includeSubclasses: false)
      try again.save()
      #expect(try names(Animal.self) == ["A", "P"])
    }
  }

  private func titles(
    _ question: StoreOperations.Question, _ world: StoreWorld
  ) throws -> [String] {
    let titles = try world.context.fetch(question.descriptor).map(\.title)
    return question.isOrdered ? titles : titles.sorted()
  }
}
