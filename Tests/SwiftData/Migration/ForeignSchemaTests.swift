import CoreData
import SwiftData
import Testing

@testable import SwiftData

/// Programs whose stores meet at one place: nobody's models are removed because another's schema lacks them.
struct ForeignSchemaTests {
  enum Billing: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Invoice.self, Customer.self] }

    @Model final class Invoice {
      var number: Int
      var customer: Customer?
      init(number: Int) { self.number = number }
    }
    @Model final class Customer {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  enum Cooking: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Recipe.self, Customer.self] }

    @Model final class Recipe {
      var title: String
      init(title: String) { self.title = title }
    }
    @Model final class Customer {
      var name: String
      var taste: String?
      init(name: String) { self.name = name }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Billing.self, Cooking.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: Billing.self, toVersion: Cooking.self)]
    }
  }

  private func open(
    _ version: any VersionedSchema.Type, _ url: URL, plan: (any SchemaMigrationPlan.Type)? = nil,
    removesModels: Bool = false
  ) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    var configuration = ModelConfiguration(schema: schema, url: url)
    configuration.removesModelsOutsideOfSchema = removesModels
    return ModelContext(
      try ModelContainer(for: schema, migrationPlan: plan, configurations: configuration))
  }

  private func bill(_ url: URL, invoices: Int = 3) throws {
    let context = try open(Billing.self, url)
    for number in 0..<invoices { context.insert(Billing.Invoice(number: number)) }
    context.insert(Billing.Customer(name: "Ann"))
    try context.save()
  }

  @Test func aStoreOfAnotherProgramIsRefusedAndStaysAsItIs() throws {
    try LibraryStore.withFile { url in
      try bill(url)
      let error = #expect(throws: SwiftDataError.self) { try open(Cooking.self, url) }
      let text = "\(error!)"
      for name in ["“Invoice”", "“Customer”", "“Recipe”"] {
        #expect(text.contains(name), "\(text)")
      }
      #expect(text.contains("removesModelsOutsideOfSchema"))
      let context = try open(Billing.self, url)
      #expect(try context.fetchCount(FetchDescriptor<Billing.Invoice>()) == 3)
      #expect(try context.fetchCount(FetchDescriptor<Billing.Customer>()) == 1)
    }
  }

  @Test func aPlanOrAnOptionMayRemoveModels() throws {
    for (plan, removes) in [(Plan.self as (any SchemaMigrationPlan.Type)?, false), (nil, true)] {
      try LibraryStore.withFile { url in
        try bill(url)
        let context = try open(Cooking.self, url, plan: plan, removesModels: removes)
        #expect(try context.fetch(FetchDescriptor<Cooking.Customer>()).map(\.name) == ["Ann"])
        context.insert(Cooking.Recipe(title: "Soup"))
        try context.save()
      }
    }
  }

  @Test func aModelWithoutRowsGoesWithoutAWord() throws {
    try LibraryStore.withFile { url in
      try bill(url, invoices: 0)
      let context = try open(Cooking.self, url)
      #expect(try context.fetch(FetchDescriptor<Cooking.Customer>()).map(\.name) == ["Ann"])
    }
  }

  // MARK: - Places

  @Test func defaultStoresLieInAFolderOfTheProgram() {
    let folder = NSPersistentContainer.defaultDirectoryURL()
    let program = ProcessInfo.processInfo.processName
    #expect(folder.lastPathComponent == program)
    #expect(ModelConfiguration().url == folder.appendingPathComponent("default.store"))
    #expect(ModelConfiguration("library").url == folder.appendingPathComponent("library.store"))
    let shared = folder.deletingLastPathComponent()
    let group = ModelConfiguration(groupContainer: .identifier("group.readers")).url
    #expect(
      group.path
        == "\(shared.path)/Group Containers/group.readers/Library/Application Support/default.store"
    )
    #expect(ModelConfiguration(isStoredInMemoryOnly: true).formerURL == nil)
    #expect(ModelConfiguration(url: URL(fileURLWithPath: "/tmp/a.store")).formerURL == nil)
    #expect(ModelConfiguration().formerURL == shared.appendingPathComponent("default.store"))
  }

  @Test func aStoreAtTheFormerPlaceIsMovedByTheProgramThatHasItsModels() throws {
    try LibraryStore.withFile { former in
      try bill(former)
      let folder = former.deletingLastPathComponent()
      func url(_ program: String) -> URL {
        folder.appendingPathComponent(program).appendingPathComponent("library.store")
      }
      func place(_ program: String) -> FormerPlace {
        FormerPlace(former: former, url: url(program), type: NSSQLiteStoreType)
      }
      let cooking = ManagedModelBuilder.model(of: Schema(versionedSchema: Cooking.self))
      let billing = ManagedModelBuilder.model(of: Schema(versionedSchema: Billing.self))
      try place("Cooking").moveIn(of: cooking)
      #expect(!FileManager.default.fileExists(atPath: url("Cooking").path))
      #expect(FileManager.default.fileExists(atPath: former.path))
      for _ in 0..<2 { try place("Billing").moveIn(of: billing) }
      #expect(!FileManager.default.fileExists(atPath: former.path))
      let context = try open(Billing.self, url("Billing"))
      #expect(try context.fetchCount(FetchDescriptor<Billing.Invoice>()) == 3)
    }
  }

  @Test func aStoreThatIsThereAlreadyIsNotReplaced() throws {
    try LibraryStore.withFile { former in
      try bill(former)
      let url = former.deletingLastPathComponent().appendingPathComponent("own.store")
      try bill(url, invoices: 1)
      let model = ManagedModelBuilder.model(of: Schema(versionedSchema: Billing.self))
      try FormerPlace(former: former, url: url, type: NSSQLiteStoreType).moveIn(of: model)
      let context = try open(Billing.self, url)
      #expect(try context.fetchCount(FetchDescriptor<Billing.Invoice>()) == 1)
      #expect(FileManager.default.fileExists(atPath: former.path))
    }
  }
}
