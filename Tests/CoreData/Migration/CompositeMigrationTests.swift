import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Composite attributes whose elements come, go, are renamed and nested: every way to migrate leaves the same.
struct CompositeMigrationTests {
  enum Way: CaseIterable {
    case inPlace, rows, objects, explicit, xml, binary

    var type: NSPersistentStore.StoreType {
      switch self {
      case .xml: .xml
      case .binary: .binary
      default: .sqlite
      }
    }
  }

  /// Elements are written as `number label:String grade=3 title<label inner(a b)`: whole numbers unless a type
  /// is given, a default after `=`, the former name after `<`, `!` for mandatory.
  struct Change: CustomTestStringConvertible {
    let testDescription: String
    var name = "place"
    let old: String
    let new: String
    let value: [String: any Sendable]
    /// What becomes of it.
    let expected: String
    /// What becomes of nil.
    var expectedOfNil = "nil"
  }

  static let changes = [
    Change(
      testDescription: "an element is gone", old: "number label:String extra", new: "number extra",
      value: ["number": 1, "label": "a", "extra": 2], expected: "extra 2 number 1"),
    Change(
      testDescription: "nothing but what is gone had a value", old: "number extra", new: "number",
      value: ["extra": 2], expected: "nil"),
    Change(
      testDescription: "an element is new", old: "number", new: "number extra",
      value: ["number": 1], expected: "number 1"),
    Change(
      testDescription: "an element with a default is new", old: "number", new: "number grade=3",
      value: ["number": 1], expected: "grade 3 number 1", expectedOfNil: "grade 3"),
    Change(
      testDescription: "an old element has a default", old: "number extra",
      new: "number=4 extra=5 more", value: ["number": 1], expected: "number 1"),
    Change(
      testDescription: "an element is renamed", old: "label:String number",
      new: "title<label:String number", value: ["number": 1, "label": "a"],
      expected: "number 1 title a"),
    Change(
      testDescription: "two elements change names", old: "one two", new: "two<one one<two",
      value: ["one": 1, "two": 2], expected: "one 2 two 1"),
    Change(
      testDescription: "an element of another name is another one", old: "label:String number",
      new: "title:String number", value: ["number": 1, "label": "a"], expected: "number 1"),
    Change(
      testDescription: "an element of a nested one is gone", old: "number inner(a b)",
      new: "number inner(a)", value: ["number": 1, "inner": ["a": 2, "b": 3]],
      expected: "inner (a 2) number 1"),
    Change(
      testDescription: "a nested one is renamed, as is its element", old: "number inner(a b)",
      new: "number core<inner(c<a d=7)", value: ["number": 1, "inner": ["a": 2, "b": 3]],
      expected: "core (c 2 d 7) number 1", expectedOfNil: "core (d 7)"),
    Change(
      testDescription: "a nested one is gone", old: "number inner(a b)", new: "number",
      value: ["number": 1, "inner": ["a": 2, "b": 3]], expected: "number 1"),
    Change(
      testDescription: "a nested one is new", old: "number", new: "number inner(a b=4)",
      value: ["number": 1], expected: "inner (b 4) number 1", expectedOfNil: "inner (b 4)"),
    Change(
      testDescription: "the attribute is renamed too", name: "spot", old: "number extra",
      new: "number", value: ["number": 1, "extra": 2], expected: "number 1"),
  ]

  @Test(arguments: changes, Way.allCases)
  func elementsThatAreLeftKeepTheirValues(_ change: Change, _ way: Way) throws {
    for isOptional in [true, false] {
      let old = Self.model("place", change.old, isOptional: isOptional)
      let new = Self.model(change.name, change.new, isOptional: true, isNew: true)
      let values = [["place": change.value]] + (isOptional ? [[:]] : [])
      let url = try VersionFolder.makeStore(way.type, old, values)
      defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
      try migrate(url, way, old, new, change.name)
      let expected = [change.expected] + (isOptional ? [change.expectedOfNil] : [])
      #expect(try Self.values(change.name, url, way.type, new) == expected.sorted())
    }
  }

  // MARK: - Types

  @Test(arguments: [
    "number:String inner(a)", "number(a) inner(a)", "number inner", "inner(a:String)",
  ])
  func anElementOfAnotherTypeIsNotInferred(_ elements: String) throws {
    let old = Self.model("place", "number inner(a)")
    let new = Self.model("place", elements, isNew: true)
    let url = try VersionFolder.makeStore(.sqlite, old, [["place": ["number": 1]]])
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let inference = #expect(throws: NSError.self) {
      try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    }
    #expect(inference?.code == NSInferredMappingModelError)
    let error = #expect(throws: NSError.self) {
      try migrate(url, .inPlace, old, new, "place")
    }
    #expect(error?.code == NSMigrationMissingMappingModelError)
    #expect(try Self.values("place", url, .sqlite, old) == ["number 1"])
  }

  /// By a mapping model of the developer's, numbers become numbers of another kind.
  @Test func aMappingModelLeadsNumbersToOtherNumbers() throws {
    let old = Self.model("place", "number extra")
    let new = Self.model("place", "number:Double", isNew: true)
    let url = try VersionFolder.makeStore(.sqlite, old, [["place": ["number": 1, "extra": 2]]])
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    try migrate(url, .explicit, old, new, "place")
    #expect(try Self.values("place", url, .sqlite, new) == ["number 1"])
  }

  @Test(arguments: ["number:String", "number(a)"])
  func aMappingModelThatMakesOtherValuesIsAnError(_ elements: String) throws {
    let old = Self.model("place", "number extra")
    let new = Self.model("place", elements, isNew: true)
    let url = try VersionFolder.makeStore(.sqlite, old, [["place": ["number": 1, "extra": 2]]])
    let folder = url.deletingLastPathComponent()
    defer { try? FileManager.default.removeItem(at: folder) }
    let before = try VersionFolder.files(folder)
    let error = #expect(throws: NSError.self) {
      try migrate(url, .explicit, old, new, "place")
    }
    #expect(error?.code == NSMigrationError)
    #expect(error?.localizedFailureReason?.contains("“place.number”") == true)
    #expect(try VersionFolder.files(folder) == before)
  }

  // MARK: - Migrating

  func migrate(
    _ url: URL, _ way: Way, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel,
    _ name: String
  ) throws {
    if way == .inPlace {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
      let store = try coordinator.addPersistentStore(
        ofType: way.type.rawValue, configurationName: nil, at: url,
        options: VersionFolder.migrating)
      return try coordinator.remove(store)
    }
    let mapping = way == .explicit ? Self.written(old, new, name) : try Self.inferred(way, old, new)
    try StoreMigration(
      url: url, type: way.type.rawValue, configuration: nil, options: [:], destination: new,
      route: .init(source: old, mapping: mapping, leavesPlace: true)
    ).run()
  }

  private static func inferred(
    _ way: Way, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let model = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    guard way == .objects else { return model }
    for entity in model.entityMappings {
      entity.entityMigrationPolicyClassName = NSStringFromClass(PlainPolicy.self)
    }
    return model
  }

  private static func written(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel, _ name: String
  ) -> NSMappingModel {
    let property = NSPropertyMapping()
    property.name = name
    property.valueExpression = CoreData.NSExpression(format: "$source.place")
    let mapping = NSEntityMapping()
    mapping.name = "ThingToThing"
    mapping.mappingType = .transformEntityMappingType
    mapping.sourceEntityName = "Thing"
    mapping.sourceEntityVersionHash = old.entitiesByName["Thing"]?.versionHash
    mapping.destinationEntityName = "Thing"
    mapping.destinationEntityVersionHash = new.entitiesByName["Thing"]?.versionHash
    mapping.attributeMappings = [property]
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    return model
  }

  static func values(
    _ name: String, _ url: URL, _ type: NSPersistentStore.StoreType,
    _ model: NSManagedObjectModel
  ) throws -> [String] {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: type, at: url)
    let context = coordinator.makeContext()
    let values = try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
        .map { ($0.value(forKey: name) as? [String: Any]).map(text) ?? "nil" }
    }
    try coordinator.remove(store)
    return values.sorted()
  }

  private static func text(_ value: [String: Any]) -> String {
    value.sorted { $0.key < $1.key }.map { key, value in
      let number = (value as? NSNumber).map { "\($0.intValue)" } ?? "\(value)"
      return "\(key) " + ((value as? [String: Any]).map { "(\(text($0)))" } ?? number)
    }.joined(separator: " ")
  }

  // MARK: - Models

  static func model(
    _ name: String, _ elements: String, isOptional: Bool = true, isNew: Bool = false
  ) -> NSManagedObjectModel {
    let thing = NSEntityDescription()
    thing.name = "Thing"
    var text = Substring(elements)
    let place = PlacesModel.composite(name, Self.elements(&text))
    place.renamingIdentifier = "place"
    place.isOptional = isOptional
    // The name of a composite is in no hash, nor is whether it is optional.
    let other = ModelPart.attribute(isNew ? "new" : "old", .stringAttributeType)
    thing.properties = [place, other]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    return model
  }

  private static func elements(_ text: inout Substring) -> [NSAttributeDescription] {
    var elements: [NSAttributeDescription] = []
    while !text.isEmpty, !text.hasPrefix(")") {
      let word = text.prefix { !" ()".contains($0) }
      text = text.dropFirst(word.count)
      if text.hasPrefix("(") {
        text = text.dropFirst()
        let composite = PlacesModel.composite("", Self.elements(&text))
        text = text.dropFirst()
        elements.append(named(word, composite))
      } else {
        elements.append(named(word, plain(word)))
      }
      if text.hasPrefix(" ") { text = text.dropFirst() }
    }
    return elements
  }

  private static func plain(_ word: Substring) -> NSAttributeDescription {
    let parts = word.filter { $0 != "!" }.split(separator: "=")
    let type: NSAttributeType =
      switch parts[0].split(separator: ":").dropFirst().first {
      case "String": .stringAttributeType
      case "Double": .doubleAttributeType
      default: .integer64AttributeType
      }
    let standard = parts.dropFirst().first.flatMap { Int($0) }
    return ModelPart.attribute("", type, default: standard)
  }

  private static func named(
    _ word: Substring, _ attribute: NSAttributeDescription
  ) -> NSAttributeDescription {
    let names = word.prefix { !":=!".contains($0) }.split(separator: "<").map(String.init)
    attribute.name = names[0]
    attribute.isOptional = !word.contains("!")
    if names.count > 1 { attribute.renamingIdentifier = names[1] }
    return attribute
  }
}
