import Foundation
import SwiftData
import Testing

@testable import SwiftData

@Suite struct ConstructTests {
  let container: ModelContainer

  init() throws {
    container = try ModelContainer(
      for: Construct.self, Part.self, Versions.Entry.self, Versions.Extended.self, Custom.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test func theSchemaHasWhatIsStored() {
    let names = ModelType.of(Construct.self).properties.map(\.name)
    #expect(
      names == [
        "serial", "title", "number", "secret", "hidden", "default", "unwrapped", "annotated",
        "computedDefault", "emptyList", "optionalList", "choice", "optionalChoice", "blob",
        "passing", "parts", "onLinux",
      ])
    #expect(ModelType.of(Construct.self).uniquenessConstraints.contains(["title", "number"]))
    #expect(Schema.entityName(for: Versions.Entry.self) == "Entry")
  }

  @Test func everythingIsKept() throws {
    let context = ModelContext(container)
    let first = Construct(serial: 1, title: "One")
    first.number = 7
    first.default = 2.5
    first.unwrapped = "text"
    first.annotated["b"] = 2
    first.optionalChoice = nil
    first.blob = Data([1, 2, 3])
    first.parts = [Part()]
    first.parts[0].place.x = 3
    let second = Construct(copying: first)
    second.both = 8
    for model in [first, second] { context.insert(model) }
    context.insert(Versions.Entry())
    context.insert(Versions.Extended())
    let custom = Custom()
    custom.doubled = 10
    context.insert(custom)
    try context.save()

    let other = ModelContext(container)
    let found = try other.fetch(FetchDescriptor<Construct>(sortBy: [SortDescriptor(\.serial)]))
    #expect(found.map(\.serial) == [1, 2] && found.map(\.number) == [7, 8])
    let again = try #require(found.first)
    #expect(again.title == "One" && again.secret == "secret" && again.whatIsHidden == 1)
    #expect(
      again.default == 2.5 && again.unwrapped == "text" && again.annotated == ["a": 1, "b": 2])
    #expect(again.computedDefault == 6 && again.choice == .second && again.optionalChoice == nil)
    #expect(again.blob == Data([1, 2, 3]) && again.onLinux && again.computed == 8)
    #expect(again.parts.map(\.place.x) == [3] && again.parts[0].whole === again)
    #expect(found[1].unwrapped == nil && found[1].optionalChoice == .first)
    #expect(try other.fetch(FetchDescriptor<Custom>()).map(\.plain) == [5])
    #expect(try other.fetchCount(FetchDescriptor<Versions.Entry>()) == 1)
    #expect(try other.fetchCount(FetchDescriptor<Versions.Extended>()) == 1)
  }

  @Test func anActorWorksOnAContextOfItsOwn() async throws {
    let id = try await Builder(modelContainer: container).build(9)
    let found = try ModelContext(container).fetch(FetchDescriptor<Construct>())
    #expect(found.map(\.persistentModelID) == [id] && found.map(\.serial) == [9])
  }
}
