import Foundation
import Testing

@testable import ModelCompiler

/// The accessors of to-many relationships that a class may declare `@NSManaged`: every name that Core Data
/// knows, with every type of their parameters.
@Suite(.enabled(if: TemporaryTarget.compiler != nil, "there is no swiftc on the path"))
struct RelationshipFunctionTests {
  private static let collections = ["NSSet", "Set<Item>", "NSOrderedSet", "[Item]"]

  /// Declarations with the calls that they become.
  private static let forms: [(declaration: String, call: String)] =
    ["add", "addTo"].flatMap { verb in
      collections.map {
        ("func \(verb)Parts(_ values: \($0))", "managedAdd(value0, to: ItemManagedKeys.parts)")
      }
    }
    + ["remove", "removeFrom"].flatMap { verb in
      collections.map {
        ("func \(verb)Parts(_ values: \($0))", "managedRemove(value0, from: ItemManagedKeys.parts)")
      }
    }
    + [
      ("func addToParts(_ value: Item)", "managedAdd(value0, to: ItemManagedKeys.parts)"),
      ("func addPartsObject(_ value: Item)", "managedAdd(value0, to: ItemManagedKeys.parts)"),
      ("func removeFromParts(_ value: Item)", "managedRemove(value0, from: ItemManagedKeys.parts)"),
      (
        "func removePartsObject(_ value: Item)",
        "managedRemove(value0, from: ItemManagedKeys.parts)"
      ),
      ("func insertIntoParts(_ value: Item, at idx: Int)", insert),
      ("func insertIntoParts(_ values: [Item], at indexes: NSIndexSet)", insert),
      ("func insertObject(_ value: Item, inPartsAtIndex idx: Int)", insert),
      ("func insertParts(_ values: [Item], atIndexes indexes: NSIndexSet)", insert),
      ("func insertParts(_ values: [Item], at indexes: IndexSet)", insert),
      ("func removeFromParts(at idx: Int)", removeAt),
      ("func removeFromParts(at indexes: NSIndexSet)", removeAt),
      ("func removeObjectFromPartsAtIndex(_ idx: Int)", removeAt),
      ("func removePartsAtIndexes(_ indexes: NSIndexSet)", removeAt),
      ("func removeParts(at indexes: IndexSet)", removeAt),
      ("func replaceParts(at idx: Int, with value: Item)", replaceAt),
      ("func replaceParts(at indexes: NSIndexSet, with values: [Item])", replaceAt),
      ("func replaceObjectInPartsAtIndex(_ idx: Int, withObject value: Item)", replaceAt),
      ("func replacePartsAtIndexes(_ indexes: NSIndexSet, withParts values: [Item])", replaceAt),
      ("func addToURLs(_ value: Item)", "managedAdd(value0, to: ItemManagedKeys.URLs)"),
      ("func addToUUIDs(_ value: Item)", "managedAdd(value0, to: ItemManagedKeys.UUIDs)"),
      ("func addWheels(_ values: NSSet)", "managedAdd(value0, to: ItemManagedKeys.wheels)"),
      ("func addGameObject(_ values: NSSet)", "managedAdd(value0, to: ItemManagedKeys.gameObject)"),
      ("func addToDo(_ values: NSSet)", "managedAdd(value0, to: ItemManagedKeys.toDo)"),
    ]

  private static let insert = "managedInsert(value0, into: ItemManagedKeys.parts, at: value1)"
  private static let removeAt = "managedRemove(from: ItemManagedKeys.parts, at: value0)"
  private static let replaceAt = "managedReplace(ItemManagedKeys.parts, at: value0, with: value1)"

  @Test func everyFunctionOfARelationshipIsDefined() throws {
    var target = try TemporaryTarget()
    let functions = Self.forms.map { "  @NSManaged \($0.declaration)\n" }
    try target.addSource(
      """
      import CoreData
      class Item: NSManagedObject {
        @NSManaged var parts: NSSet?
        @NSManaged var URLs: NSSet?
        @NSManaged var gameObject: NSSet?
        @NSManaged var toDo: NSSet?
      \(functions.joined())}
      """)
    try target.withOutput { text in
      let calls = text.split(separator: "\n").filter { $0.contains("managedFunction") }
      #expect(calls.count == Self.forms.count)
      for (form, line) in zip(Self.forms, calls) {
        expectPart("{ \(form.call) }", in: String(line))
      }
    }
  }
}
