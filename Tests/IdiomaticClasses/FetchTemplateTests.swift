import CoreData
import Foundation
import Testing

/// The functions of fetch request templates: what a variable is compared with gives its type.
struct FetchTemplateTests {
  private func withWholes(
    _ body: @Sendable (NSManagedObjectContext, [Family.Whole]) throws -> Void
  ) throws {
    try withFamily { context in
      let wholes = (0..<3).map { number in
        let whole = Family.Whole(context: context)
        whole.title = "\(number)"
        whole.count = Int64(number)
        whole.colour = number == 0 ? .green : .red
        return whole
      }
      try body(context, wholes)
    }
  }

  @Test func aTemplateFindsObjects() throws {
    try withWholes { context, wholes in
      let found: [Family.Whole] = try Family.Whole.fetchByTitle(
        managedObjectContext: context, title: "1")
      #expect(found == [wholes[1]])
      let green = try Family.Whole.fetchInColours(
        managedObjectContext: context, colours: ["green", "blue"])
      #expect(green == [wholes[0]])
      let between = try Family.Whole.fetchBetween(managedObjectContext: context, high: 2, low: 1)
      #expect(Set(between) == [wholes[1], wholes[2]])
    }
  }

  @Test func aTemplateForOneFindsOneOrNone() throws {
    try withWholes { context, wholes in
      let found: Family.Whole? = try Family.Whole.fetchOneByTitle(
        managedObjectContext: context, title: "2")
      #expect(found == wholes[2])
      let none = try Family.Whole.fetchOneByTitle(managedObjectContext: context, title: "9")
      #expect(none == nil)
      let first: Family.Whole? = try Family.Whole.fetchFirst(managedObjectContext: context)
      #expect(first.map(wholes.contains) == true)
    }
  }

  @Test func relationshipsAreComparedWithObjects() throws {
    try withWholes { context, wholes in
      let part = Family.Part(context: context)
      part.name = "Anna"
      wholes[1].many = [part]
      let holding = try Family.Whole.fetchHolding(managedObjectContext: context, part: part)
      #expect(holding == [wholes[1]])
      let named = try Family.Whole.fetchHoldingName(managedObjectContext: context, default: "an")
      #expect(named == [wholes[1]])
    }
  }

  @Test func otherResultsHaveTheirOwnTypes() throws {
    try withWholes { context, wholes in
      let part = Family.Part(context: context)
      part.name = "Anna"
      wholes[1].many = [part]
      let ids: [NSManagedObjectID] = try Family.Whole.fetchIdentifiers(
        managedObjectContext: context, least: 0)
      #expect(ids == [wholes[1].objectID])
      let count: Int = try Family.Whole.fetchHowMany(managedObjectContext: context, name: "Anna")
      #expect(count == 1)
    }
  }

  @Test func aChildContextHasTheTemplatesOfItsStack() throws {
    let parent = try makeFamilyContext()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    try child.performAndWait {
      let whole = Family.Whole(context: child)
      let found = try Family.Whole.fetchByTitle(managedObjectContext: child, title: "none")
      #expect(found == [whole])
    }
  }
}
