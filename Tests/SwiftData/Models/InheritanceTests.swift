import Foundation
import SwiftData
import Testing

@testable import SwiftData

@Suite struct InheritanceTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Animal.self, Dog.self, Puppy.self, Bird.self, Keeper.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  private func fill() throws {
    let keeper = Keeper(name: "Ann")
    let rex = Dog(name: "Rex", tricks: 3)
    let spot = Puppy(name: "Spot")
    spot.nickname = "Spotty"
    for animal in [Animal(name: "Ox"), rex, spot, Bird(name: "Tweety")] {
      context.insert(animal)
      animal.owner = keeper
    }
    rex.friends = [spot]
    try context.save()
  }

  @Test func everyClassKeepsItsValuesBeforeItIsInserted() {
    let puppy = Puppy(name: "Spot")
    #expect(puppy.name == "Spot" && puppy.tricks == 0 && puppy.weeks == 8 && puppy.legs == 4)
    puppy.name = "Max"
    puppy.tricks = 2
    puppy.weeks = 9
    let animal: Animal = puppy
    #expect(animal.name == "Max" && puppy.tricks == 2 && puppy.weeks == 9)
    #expect(Bird(name: "Tweety").legs == 2)
  }

  @Test func fetchesGiveEachModelItsOwnClass() throws {
    try fill()
    let other = ModelContext(container)
    let animals = try other.fetch(
      FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name, comparator: .lexical)]))
    #expect(animals.map { "\(type(of: $0))" } == ["Animal", "Dog", "Puppy", "Bird"])
    #expect(animals.map(\.name) == ["Ox", "Rex", "Spot", "Tweety"])
    let spot = try #require(animals[2] as? Puppy)
    #expect(spot.nickname == "Spotty" && spot.weeks == 8 && spot.tricks == 0 && spot.legs == 4)
    #expect(spot.friendOf.map(\.name) == ["Rex"])
    #expect((animals[3] as? Bird)?.canFly == true && animals[3].legs == 2)
    #expect(try other.fetch(FetchDescriptor<Dog>()).count == 2)
    #expect(try other.fetchCount(FetchDescriptor<Puppy>()) == 1)
    #expect(Set(animals[0].owner?.animals.map(\.name) ?? []) == ["Ox", "Rex", "Spot", "Tweety"])
    spot.name = "Max"
    spot.tricks = 1
    spot.weeks = 10
    try other.save()
    let again = try ModelContext(container).fetch(FetchDescriptor<Puppy>())
    #expect(again.map { "\($0.name) \($0.tricks) \($0.weeks)" } == ["Max 1 10"])
  }

  private func names<Model: Animal>(
    _ predicate: Predicate<Model>, isExact: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] where Model: PersistentModel {
    let translated = try predicate.translated(in: context)
    #expect(translated.filtersInMemory == !isExact, sourceLocation: sourceLocation)
    let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
    let all = try context.fetch(FetchDescriptor<Model>())
    #expect(
      found == all.filter(predicate.holds).map(\.name).sorted(), sourceLocation: sourceLocation)
    return found
  }

  @Test func predicatesOverInheritedProperties() throws {
    try fill()
    #expect(try names(#Predicate<Dog> { $0.name == "Rex" }) == ["Rex"])
    #expect(try names(#Predicate<Puppy> { $0.name == "Spot" && $0.tricks == 0 }) == ["Spot"])
    #expect(try names(#Predicate<Puppy> { $0.owner?.name == "Ann" && $0.legs == 4 }) == ["Spot"])
    #expect(try names(#Predicate<Dog> { $0.friends.contains { $0.name == "Spot" } }) == ["Rex"])
    #expect(try names(#Predicate<Dog> { $0.owner == nil }).isEmpty)
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try context.fetch(FetchDescriptor(predicate: #Predicate<Puppy> { $0.shout == "SPOT" }))
    }
  }

  @Test func predicatesOverClasses() throws {
    try fill()
    #expect(try names(#Predicate<Animal> { $0 is Dog }) == ["Rex", "Spot"])
    #expect(try names(#Predicate<Animal> { !($0 is Puppy) }) == ["Ox", "Rex", "Tweety"])
    #expect(try names(#Predicate<Animal> { $0 is Bird || $0.name == "Ox" }) == ["Ox", "Tweety"])
    #expect(
      try names(
        #Predicate<Animal> { if let dog = $0 as? Dog { dog.tricks == 3 } else { false } },
        isExact: false) == ["Rex"])
    #expect(
      try names(
        #Predicate<Animal> { if let dog = $0 as? Dog { dog.name == "Spot" } else { false } })
        == ["Spot"])
  }

  @Test func sortingByInheritedProperties() throws {
    try fill()
    let dogs = try context.fetch(
      FetchDescriptor<Dog>(sortBy: [
        SortDescriptor(\.legs), SortDescriptor(\.name, order: .reverse),
      ]))
    #expect(dogs.map(\.name) == ["Spot", "Rex"])
    let puppies = try context.fetch(
      FetchDescriptor<Puppy>(sortBy: [SortDescriptor(\.owner?.name), SortDescriptor(\.tricks)]))
    #expect(puppies.map(\.name) == ["Spot"])
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.fetch(FetchDescriptor<Puppy>(sortBy: [SortDescriptor(\.shout)]))
    }
  }
}
