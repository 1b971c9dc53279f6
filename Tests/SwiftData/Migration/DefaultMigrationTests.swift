import CoreData
import SwiftData
import Testing

@testable import SwiftData

/// A default at the declaration makes a migration light for every type of value: each type × added, a member added, removed,
/// made optional, made required, renamed. The models are made of schemas written by hand, so that types may vary.
struct DefaultMigrationTests {
  /// A value of a type, and the default of its property.
  struct Kind: CustomTestStringConvertible, Sendable {
    let type: any (Codable & Sendable & Equatable).Type
    let optionalType: any Any.Type
    let value: any Codable & Sendable & Equatable
    let standard: any Codable & Sendable & Equatable
    var testDescription: String { "\(type)" }

    init<T: Codable & Sendable & Equatable>(_ value: T, default standard: T) {
      type = T.self
      optionalType = T?.self
      self.value = value
      self.standard = standard
    }
  }

  enum Mood: String, Codable, Sendable { case calm, wild }
  enum Rank: Int, Codable, Sendable { case low = 1, high }
  enum Shade: Codable, Sendable, Equatable { case light, dark }
  enum Shape: Codable, Sendable, Equatable { case dot, circle(radius: Double) }
  struct Point: Codable, Sendable, Equatable { var x = 1, y = 2 }
  struct Label: Codable, Sendable, Equatable {
    var text = "text"
    var note: String?
    var mood = Mood.calm
    var shade = Shade.dark
    var place = Point()
    var marks: [Int] = [1]
  }
  struct Span: Codable, Sendable, Equatable { var from: Int?, to: Int? }

  static let kinds = [
    Kind(1, default: 2), Kind(Int8(1), default: 2), Kind(UInt64(1), default: .max),
    Kind(true, default: false), Kind(1.5, default: 2.5), Kind(Float(1.5), default: 2.5),
    Kind("a", default: "b"),
    Kind(Date(timeIntervalSinceReferenceDate: 1), default: Date(timeIntervalSinceReferenceDate: 2)),
    Kind(UUID(), default: UUID()), Kind(Data([1]), default: Data([2])),
    Kind(URL(string: "https://a.example")!, default: URL(string: "https://b.example")!),
    Kind(Decimal(string: "1.1")!, default: Decimal(string: "2.2")!),
    Kind(Mood.calm, default: .wild), Kind(Rank.low, default: .high),
    Kind(Shade.light, default: .dark),
    Kind(Shape.dot, default: .circle(radius: 2)), Kind(Point(), default: Point(x: 3, y: 4)),
    Kind(Label(), default: Label(text: "b", note: "n", mood: .wild, shade: .light)),
    Kind(Span(from: 1), default: Span(to: 2)), Kind(["a"], default: ["b", "c"]),
    Kind([1], default: []), Kind([Point()], default: [Point(x: 5)]),
    Kind(["a": 1], default: ["b": 2]), Kind([Mood.calm], default: [.wild]),
    Kind(Set(["a"]), default: ["b"]),
    Kind(DateComponents(year: 1), default: DateComponents(year: 2)),
  ]

  enum Change: CaseIterable {
    case added, removed, madeOptional, madeRequired, renamed
  }

  // MARK: - Stores of models by hand

  private static func model(_ attributes: [Schema.Attribute]) -> NSManagedObjectModel {
    let entity = Schema.Entity("Thing")
    entity.storedProperties = [Schema.Attribute(name: "name", valueType: String.self)] + attributes
    return ManagedModelBuilder.model(of: Schema([entity], version: Schema.Version(1, 0, 0)))
  }

  private static func attribute(
    _ type: any Any.Type, named name: String = "value", default value: Any? = nil,
    originalName: String? = nil
  ) -> Schema.Attribute {
    Schema.Attribute(
      name: name, originalName: originalName, valueType: type, defaultValue: value)
  }

  private static func with<Result>(
    _ model: NSManagedObjectModel, _ url: URL, _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
      ])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let result = try context.performAndWait { try body(context) }
    try coordinator.remove(store)
    return result
  }

  private static func make(
    _ model: NSManagedObjectModel, _ url: URL, _ type: (any Any.Type)?, _ values: [Any?]
  ) throws {
    try with(model, url) { context in
      for value in values {
        let object = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        object.setValue("thing", forKey: "name")
        if let type, let value { object.setValue(Self.kept(value, type, "value"), forKey: "value") }
      }
      try context.save()
    }
  }

  private static func kept(_ value: Any, _ type: any Any.Type, _ name: String) -> Any? {
    let form = ValueForm(type)
    if case .enumeration(let form) = form { return form.elements(of: value, named: name) }
    return form?.boxed(value)
  }

  private static func values(
    _ model: NSManagedObjectModel, _ url: URL, _ type: any Any.Type, _ name: String = "value"
  ) throws -> [Any?] {
    try with(model, url) { context in
      let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      // An edit of another property can be saved.
      for object in objects { object.setValue("edited", forKey: "name") }
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      return try context.fetch(request).map { object in
        guard let boxed = object.value(forKey: name) else { return nil }
        let form = ValueForm(type)
        if case .enumeration(let form) = form {
          let elements = boxed as? [String: Any] ?? [:]
          #expect(elements.count(where: { !($0.value is NSNull) }) == 1)
          return form.value(elements: elements.filter { !($0.value is NSNull) })
        }
        return form?.value(boxed)
      }
    }
  }

  private func expect(_ found: [Any?], _ expected: [Any?], _ comment: String) {
    #expect(found.count == expected.count, "\(comment)")
    for (one, other) in zip(found, expected) {
      #expect(Self.areEqual(one, other), "\(comment): \(one as Any), not \(other as Any)")
    }
  }

  private static func isComposite(_ type: any Any.Type) -> Bool {
    switch ValueForm(type) {
    case .composite, .enumeration: true
    default: false
    }
  }

  private static func areEqual(_ one: Any?, _ other: Any?) -> Bool {
    func equal<T: Equatable>(_ value: T) -> Bool { other as? T == value }
    guard let one else { return other == nil }
    return (one as? any Equatable).map { equal($0) } ?? false
  }

  @Test(arguments: kinds, Change.allCases)
  func aDefaultMakesAMigrationLight(_ kind: Kind, _ change: Change) throws {
    let required = Self.model([Self.attribute(kind.type, default: kind.standard)])
    let optional = Self.model([Self.attribute(kind.optionalType)])
    let without = Self.model([])
    let renamed = Self.model([
      Self.attribute(kind.type, named: "other", default: kind.standard, originalName: "value")
    ])
    try LibraryStore.withFile { url in
      switch change {
      case .added:
        try Self.make(without, url, nil, [nil, nil])
        expect(try Self.values(required, url, kind.type), [kind.standard, kind.standard], "added")
      case .removed:
        try Self.make(required, url, kind.type, [kind.value])
        #expect(
          try Self.with(without, url) {
            try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing"))
          } == 1)
      case .madeOptional:
        try Self.make(required, url, kind.type, [kind.value])
        expect(try Self.values(optional, url, kind.type), [kind.value], "made optional")
      case .madeRequired:
        try Self.make(optional, url, kind.type, [kind.value, nil])
        // Of structures and enumerations no version hash tells: nothing is migrated, and the model reads its default.
        expect(
          try Self.values(required, url, kind.type),
          [kind.value, Self.isComposite(kind.type) ? nil : kind.standard], "made required")
      case .renamed:
        try Self.make(required, url, kind.type, [kind.value])
        expect(try Self.values(renamed, url, kind.type, "other"), [kind.value], "renamed")
      }
    }
  }

  /// Without a default what is missing stays an error, and the store as it was.
  @Test(arguments: [kinds[0], kinds[12], kinds[14], kinds[16], kinds[19], kinds[22]])
  func withoutADefaultAMissingValueIsRefused(_ kind: Kind) throws {
    let optional = Self.model([Self.attribute(kind.optionalType)])
    for old in [Self.model([])] + (Self.isComposite(kind.type) ? [] : [optional]) {
      try LibraryStore.withFile { url in
        try Self.make(old, url, nil, [nil])
        let error = #expect(throws: NSError.self) {
          try Self.values(Self.model([Self.attribute(kind.type)]), url, kind.type)
        }
        #expect(error?.code == NSMigrationError && "\(error!)".contains("Give it a default"))
        _ = try Self.with(old, url) {
          try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing"))
        }
      }
    }
  }

  // MARK: - Members

  struct Small: Codable, Sendable, Equatable { var x = 1 }
  struct SmallOptional: Codable, Sendable, Equatable { var x: Int? }
  /// A member of each form is new.
  struct Big: Codable, Sendable, Equatable {
    var x = 1
    var text = "t"
    var flag = true
    var note: String?
    var mood = Mood.wild
    var shade = Shade.dark
    var place = Point()
    var span = Span(from: 1)
    var marks: [Int] = [1]
    var inner: Point? = Point(x: 9, y: 9)
  }
  enum MoreShades: Codable, Sendable, Equatable { case none, light, dark, red }

  @Test(arguments: [true, false], [true, false])
  func newMembersOfAStructureGetTheDefaultsOfItsValue(_ isOptional: Bool, _ hasDefault: Bool) throws
  {
    let standard = Big(
      x: 7, text: "d", flag: false, mood: .calm, shade: .light, place: Point(x: 5, y: 6), marks: [2]
    )
    let old = Self.model([Self.attribute(isOptional ? Small?.self : Small.self)])
    let new = Self.model([
      Self.attribute(isOptional ? Big?.self : Big.self, default: hasDefault ? standard : nil)
    ])
    // What stands for a value that the store does not have, where the declaration has none.
    var zero = Big(
      x: 0, text: "", flag: false, mood: .calm, shade: .light, place: Point(x: 0, y: 0), marks: [])
    var wanted = hasDefault ? standard : zero
    (zero.inner, wanted.inner, wanted.note) = (nil, nil, nil)
    wanted.span = Span()
    wanted.x = 3
    try LibraryStore.withFile { url in
      try Self.make(old, url, Small.self, [Small(x: 3)] + (isOptional ? [nil] : []))
      expect(try Self.values(new, url, Big.self), [wanted] + (isOptional ? [nil] : []), "members")
    }
  }

  @Test func aMemberIsRemovedAndTheRestStays() throws {
    try LibraryStore.withFile { url in
      try Self.make(Self.model([Self.attribute(Big.self)]), url, Big.self, [Big(x: 4)])
      expect(
        try Self.values(Self.model([Self.attribute(Small.self)]), url, Small.self), [Small(x: 4)],
        "removed")
    }
  }

  /// A new case, also where it is the default, is no value of a stored one.
  @Test(arguments: [true, false])
  func aNewCaseLeavesStoredOnesAsTheyAre(_ isOptional: Bool) throws {
    let old = Self.model([Self.attribute(isOptional ? Shade?.self : Shade.self)])
    let new = Self.model([
      Self.attribute(isOptional ? MoreShades?.self : MoreShades.self, default: MoreShades.red)
    ])
    try LibraryStore.withFile { url in
      try Self.make(old, url, Shade.self, [Shade.light, Shade.dark])
      expect(try Self.values(new, url, MoreShades.self), [MoreShades.light, .dark], "cases")
    }
  }

  // MARK: - Models

  enum First: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Thing.self] }

    @Model final class Thing {
      var name: String
      var mood: Mood?
      var place: Point?
      init(name: String) { self.name = name }
    }
  }

  enum Second: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Thing.self] }

    @Model final class Thing {
      var name: String
      var mood = Mood.wild
      var place = Point(x: 3, y: 4)
      init(name: String) { self.name = name }
    }
  }

  /// What is optional no more has its default, and rows that had none can be edited.
  @Test func structuresThatBecomeRequiredHaveTheirDefault() throws {
    try LibraryStore.withFile { url in
      func context(_ version: any VersionedSchema.Type) throws -> ModelContext {
        let schema = Schema(versionedSchema: version)
        let configuration = ModelConfiguration(schema: schema, url: url)
        return ModelContext(try ModelContainer(for: schema, configurations: configuration))
      }
      let first = try context(First.self)
      first.insert(First.Thing(name: "a"))
      try first.save()
      let second = try context(Second.self)
      let thing = try #require(try second.fetch(FetchDescriptor<Second.Thing>()).first)
      #expect(thing.mood == .wild && thing.place == Point(x: 3, y: 4))
      thing.name = "b"
      try second.save()
      #expect(thing.mood == .wild && thing.place == Point(x: 3, y: 4))
      thing.mood = .calm
      try second.save()
      let found = try #require(
        try context(Second.self).fetch(FetchDescriptor<Second.Thing>()).first)
      #expect(found.name == "b" && found.mood == .calm)
    }
  }
}
