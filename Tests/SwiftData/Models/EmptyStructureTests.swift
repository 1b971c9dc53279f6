import CoreData
import SwiftData
import Testing

/// A structure that holds nothing but nil is a value like any other.
struct EmptyStructureTests {
  struct Span: Codable, Equatable, Sendable {
    var from: Int?
    var to: Int?
  }

  struct Outer: Codable, Equatable, Sendable {
    var name: String?
    var span = Span()
  }

  struct Named: Codable, Equatable, Sendable {
    var name = "name"
    var span = Span()
  }

  @Model
  final class Thing {
    var text = ""
    var span: Span
    var standard = Span(from: 1, to: 2)
    var optional: Span?
    var outer = Outer()
    var named = Named()

    init(span: Span) { self.span = span }
  }

  private func context(_ url: URL) throws -> ModelContext {
    let schema = Schema([Thing.self])
    return ModelContext(
      try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url)))
  }

  private static let spans = [Span(), Span(from: 3), Span(to: 4), Span(from: 5, to: 6)]

  /// Each value that is set, for each that was there, as it is read before the save, after it, and from the file.
  @Test(arguments: spans, spans)
  func itIsSavedReadAndEdited(_ old: Span, _ new: Span) throws {
    try LibraryStore.withFile { url in
      let context = try context(url)
      let thing = Thing(span: old)
      context.insert(thing)
      #expect(thing.span == old)
      try context.save()
      #expect(thing.span == old && thing.standard == Span(from: 1, to: 2))
      (thing.span, thing.standard, thing.outer.span, thing.named.span) = (new, new, new, new)
      #expect(thing.standard == new)
      try context.save()
      let other = try self.context(url)
      let found = try #require(try other.fetch(FetchDescriptor<Thing>()).first)
      #expect(found.span == new && found.standard == new && found.optional == nil)
      #expect(found.outer == Outer(span: new) && found.named == Named(span: new))
      // Another property of the row can be edited.
      found.text = "edited"
      try other.save()
      let third = try #require(try self.context(url).fetch(FetchDescriptor<Thing>()).first)
      #expect(third.text == "edited" && third.span == new)
    }
  }

  @Test func predicatesSeeItsMembers() throws {
    try LibraryStore.withFile { url in
      let context = try context(url)
      for span in Self.spans { context.insert(Thing(span: span)) }
      try context.save()
      let empty = #Predicate<Thing> { $0.span.from == nil && $0.span.to == nil }
      #expect(try context.fetchCount(FetchDescriptor(predicate: empty)) == 1)
    }
  }
}
