import SwiftData
import Testing

enum PeopleV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Person.self] }

  @Model
  final class Person {
    var name: String
    var nick: String?
    init(name: String) { self.name = name }
  }
}

enum PeopleV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Person.self] }

  @Model
  final class Person {
    @Attribute(originalName: "name") var fullName: String
    var first: String?
    var age: Int = 30
    var size: Size?
    init(fullName: String) { self.fullName = fullName }
  }
}

enum PeopleV3: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  static var models: [any PersistentModel.Type] { [Person.self] }

  @Model
  final class Person {
    #Index<Person>([\.fullName])
    var fullName: String
    var first: String?
    var age: Int = 30
    var size: Size?
    var isAdult: Bool = false
    init(fullName: String) { self.fullName = fullName }
  }
}

enum PeoplePlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [PeopleV1.self, PeopleV2.self, PeopleV3.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: PeopleV1.self, toVersion: PeopleV2.self),
      .custom(
        fromVersion: PeopleV2.self, toVersion: PeopleV3.self,
        willMigrate: { context in
          for person in try context.fetch(FetchDescriptor<PeopleV2.Person>()) {
            person.first = person.fullName.split(separator: " ").first.map(String.init)
          }
          try context.save()
        },
        didMigrate: { context in
          for person in try context.fetch(FetchDescriptor<PeopleV3.Person>()) {
            person.isAdult = person.age >= 18
          }
          try context.save()
        }),
    ]
  }
}

enum PlanWithoutTheStore: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [PeopleV2.self, PeopleV3.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: PeopleV2.self, toVersion: PeopleV3.self)]
  }
}

enum PlanOfTheFirst: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [PeopleV1.self] }
  static var stages: [MigrationStage] { [] }
}

enum PlanOfEquals: SchemaMigrationPlan {
  enum Same: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 1, 0) }
    static var models: [any PersistentModel.Type] { [PeopleV1.Person.self] }
  }
  static var schemas: [any VersionedSchema.Type] { [PeopleV1.self, Same.self] }
  static var stages: [MigrationStage] {
    [.custom(fromVersion: PeopleV1.self, toVersion: Same.self, willMigrate: nil, didMigrate: nil)]
  }
}

struct MigrationTests {
  private func open(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil, _ url: URL
  ) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    return ModelContext(
      try ModelContainer(
        for: schema, migrationPlan: plan,
        configurations: ModelConfiguration(schema: schema, url: url)))
  }

  private func makeFirst(_ url: URL) throws {
    let context = try open(PeopleV1.self, nil, url)
    context.insert(PeopleV1.Person(name: "Jane Austen"))
    try context.save()
  }

  @Test func aPlanRunsItsStages() throws {
    try LibraryStore.withFile { url in
      try makeFirst(url)
      let context = try open(PeopleV3.self, PeoplePlan.self, url)
      let person = try #require(try context.fetch(FetchDescriptor<PeopleV3.Person>()).first)
      #expect(person.fullName == "Jane Austen" && person.first == "Jane")
      #expect(person.age == 30 && person.isAdult && person.size == nil)
    }
  }

  @Test func withoutAPlanChangesAreInferred() throws {
    try LibraryStore.withFile { url in
      try makeFirst(url)
      let context = try open(PeopleV2.self, nil, url)
      let person = try #require(try context.fetch(FetchDescriptor<PeopleV2.Person>()).first)
      #expect(person.fullName == "Jane Austen" && person.age == 30)
    }
  }

  @Test func whatDoesNotFitIsSaid() throws {
    try LibraryStore.withFile { url in
      try makeFirst(url)
      let before = try Data(contentsOf: url)
      let unknown = #expect(throws: SwiftDataError.self) {
        try open(PeopleV3.self, PlanWithoutTheStore.self, url)
      }
      #expect(unknown == .unknownSchema && "\(unknown!)".contains("differs in Person"))
      #expect(throws: SwiftDataError.modelValidationFailure) {
        try open(PeopleV1.self, PlanOfEquals.self, url)
      }
      #expect(try Data(contentsOf: url) == before)
    }
    try LibraryStore.withFile { url in
      try {
        let context = try open(PeopleV3.self, nil, url)
        context.insert(PeopleV3.Person(fullName: "A"))
        try context.save()
      }()
      #expect(throws: SwiftDataError.backwardMigration) {
        try open(PeopleV1.self, PlanOfTheFirst.self, url)
      }
    }
  }

  // MARK: - Several stores

  private func open(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?, in folder: URL
  ) throws -> ModelContext {
    let models = version.models
    let configurations = [("left", Schema([models[0]])), ("right", Schema(Array(models[1...])))]
      .map { name, schema in
        ModelConfiguration(
          name, schema: schema, url: folder.appendingPathComponent("\(name).store"))
      }
    return ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: plan, configurations: configurations))
  }

  @Test func aPlanLeadsEachStoreOfAContainer() throws {
    try LibraryStore.withFile { file in
      let folder = file.deletingLastPathComponent()
      try {
        let context = try open(PairV1.self, nil, in: folder)
        context.insert(PairV1.Left())
        for _ in 0..<2 { context.insert(PairV1.Right()) }
        context.insert(PairV1.Gone())
        try context.save()
      }()
      PairPlan.seen = []
      let context = try open(PairV3.self, PairPlan.self, in: folder)
      #expect(try context.fetch(FetchDescriptor<PairV3.Left>()).map(\.text) == ["2"])
      #expect(try context.fetch(FetchDescriptor<PairV3.Right>()).map(\.extra) == [5, 5])
      // Once for each store, which has its own models.
      #expect(PairPlan.seen.sorted { $0[0] < $1[0] } == [[0, 2, 1], [1, 0, 0]])
      PairPlan.seen = []
      let again = try open(PairV3.self, PairPlan.self, in: folder)
      #expect(try again.fetchCount(FetchDescriptor<PairV3.Right>()) == 2 && PairPlan.seen.isEmpty)
    }
  }
}

private enum PairV1: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Left.self, Right.self, Gone.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  @Model final class Left {
    var number = 1
    init() {}
  }
  @Model final class Right {
    var number = 1
    init() {}
  }
  @Model final class Gone {
    var number = 1
    init() {}
  }
}

private enum PairV2: VersionedSchema {
  static var models: [any PersistentModel.Type] {
    [Left.self, PairV1.Right.self, PairV1.Gone.self]
  }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Left {
    var number = 1
    var text = ""
    init() {}
  }
}

private enum PairV3: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Left.self, Right.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }

  @Model final class Left {
    var text = ""
    init() {}
  }
  @Model final class Right {
    var number = 1
    var extra: Int?
    init() {}
  }
}

private enum PairPlan: SchemaMigrationPlan {
  /// How many models of each class the second stage has met, by its calls.
  nonisolated(unsafe) static var seen: [[Int]] = []

  static var schemas: [any VersionedSchema.Type] { [PairV1.self, PairV2.self, PairV3.self] }

  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: PairV1.self, toVersion: PairV2.self),
      .custom(
        fromVersion: PairV2.self, toVersion: PairV3.self,
        willMigrate: { context in
          let lefts = try context.fetch(FetchDescriptor<PairV2.Left>())
          for left in lefts { left.text = "\(left.number + 1)" }
          try context.save()
          seen.append([
            lefts.count, try context.fetchCount(FetchDescriptor<PairV1.Right>()),
            try context.fetchCount(FetchDescriptor<PairV1.Gone>()),
          ])
        },
        didMigrate: { context in
          for right in try context.fetch(FetchDescriptor<PairV3.Right>()) { right.extra = 5 }
          try context.save()
        }),
    ]
  }
}
