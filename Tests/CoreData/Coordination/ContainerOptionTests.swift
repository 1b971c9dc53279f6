import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What each property of a store description does to a container's stores.
@Suite struct ContainerOptionTests {
  private static func makeFolder() throws -> URL { try StoreFixture.makeFolder() }

  private func makeContainer(
    _ descriptions: [NSPersistentStoreDescription]
  ) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "People", managedObjectModel: PeopleModel.make())
    container.persistentStoreDescriptions = descriptions
    return container
  }

  /// The codes of the errors of one loading, nil for success, in the order of the calls.
  private func load(_ container: NSPersistentContainer) -> [Int?] {
    var codes: [Int?] = []
    container.loadPersistentStores { codes.append(($1 as NSError?)?.code) }
    return codes
  }

  private func describe(_ url: URL) -> NSPersistentStoreDescription {
    NSPersistentStoreDescription(url: url)
  }

  private func insertPerson(_ container: NSPersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        .setValue("Ann", forKey: "name")
      try context.save()
    }
  }

  private func countPeople(_ container: NSPersistentContainer) throws -> Int {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
    }
  }

  // MARK: - Several stores

  @Test func eachDescriptionIsAnsweredByItselfInOrder() throws {
    let folder = try Self.makeFolder()
    let unknownType = describe(folder.appendingPathComponent("a.sqlite"))
    unknownType.type = "Nowhere"
    let unknownConfiguration = describe(folder.appendingPathComponent("b.sqlite"))
    unknownConfiguration.configuration = "None"
    let file = folder.appendingPathComponent("file")
    try Data("no directory".utf8).write(to: file)
    let container = makeContainer([
      unknownType, describe(folder.appendingPathComponent("c.sqlite")), unknownConfiguration,
      describe(file.appendingPathComponent("d.sqlite")), describe(file),
    ])
    let codes = load(container)
    #expect(codes.count == 5)
    #expect(codes[0] == NSPersistentStoreInvalidTypeError)
    #expect(codes[1] == nil)
    #expect(codes[2] == NSCoreDataError)
    #expect(codes[3] != nil)
    #expect(codes[4] == NSFileReadCorruptFileError)
    let stores = container.persistentStoreCoordinator.persistentStores
    #expect(stores.map { $0.url?.lastPathComponent } == ["c.sqlite"])
  }

  @Test func loadingAgainTriesWhatIsNotLoadedYet() throws {
    let folder = try Self.makeFolder()
    let memory = NSPersistentStoreDescription()
    memory.type = NSInMemoryStoreType
    memory.url = nil
    let broken = describe(folder.appendingPathComponent("b.sqlite"))
    broken.type = "Nowhere"
    let container = makeContainer([
      describe(folder.appendingPathComponent("a.sqlite")), NSPersistentStoreDescription(), memory,
      broken,
    ])
    #expect(load(container) == [nil, nil, nil, NSPersistentStoreInvalidTypeError])
    #expect(load(container) == [NSPersistentStoreInvalidTypeError])
    broken.type = NSSQLiteStoreType
    #expect(load(container) == [nil])
    #expect(load(container).isEmpty)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 4)
  }

  @Test func twoDescriptionsOfOneFileAreAMistakeThatIsTold() throws {
    let url = try Self.makeFolder().appendingPathComponent("a.sqlite")
    let container = makeContainer([describe(url), describe(url)])
    #expect(load(container) == [nil, NSPersistentStoreOpenError])
  }

  @Test func descriptionsMayBeLoadedInTheBackgroundTogether() async throws {
    let folder = try Self.makeFolder()
    let descriptions = (0..<4).map { describe(folder.appendingPathComponent("\($0).sqlite")) }
    for description in descriptions { description.shouldAddStoreAsynchronously = true }
    let container = makeContainer(descriptions)
    let (answers, continuation) = AsyncStream.makeStream(of: String.self)
    container.loadPersistentStores { description, error in
      continuation.yield(error == nil ? description.url?.lastPathComponent ?? "" : "error")
    }
    var names: Set<String> = []
    for await name in answers.prefix(4) { names.insert(name) }
    #expect(names == ["0.sqlite", "1.sqlite", "2.sqlite", "3.sqlite"])
    #expect(container.persistentStoreCoordinator.persistentStores.count == 4)
  }

  // MARK: - Places

  @Test func missingDirectoriesAreMade() throws {
    let url = try Self.makeFolder().appendingPathComponent("a/b/c.sqlite")
    #expect(load(makeContainer([describe(url)])) == [nil])
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test func aStoreAtDevNullIsOfOneContainerAlone() throws {
    let one = makeContainer([NSPersistentStoreDescription()])
    let other = makeContainer([describe(URL(fileURLWithPath: "/dev/null"))])
    #expect(load(one) == [nil] && load(other) == [nil])
    try insertPerson(one)
    #expect(try countPeople(one) == 1 && countPeople(other) == 0)
    #expect(one.persistentStoreCoordinator.persistentStores[0].type == NSSQLiteStoreType)
  }

  @Test func aStoreBelowDevNullIsSharedByName() throws {
    let url = URL(fileURLWithPath: "/dev/null/\(UUID().uuidString)")
    let one = makeContainer([describe(url)])
    let other = makeContainer([describe(url)])
    #expect(load(one) == [nil] && load(other) == [nil])
    try insertPerson(one)
    #expect(try countPeople(other) == 1)
  }

  // MARK: - Options

  @Test func aReadOnlyStoreIsReadAndNeitherMadeNorWritten() throws {
    let folder = try Self.makeFolder()
    let missing = describe(folder.appendingPathComponent("none/a.sqlite"))
    missing.isReadOnly = true
    #expect(load(makeContainer([missing])) == [NSFileReadNoSuchFileError])
    #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("none").path))
    let url = folder.appendingPathComponent("a.sqlite")
    let writer = makeContainer([describe(url)])
    #expect(load(writer) == [nil])
    try insertPerson(writer)
    let description = describe(url)
    description.isReadOnly = true
    let reader = makeContainer([description])
    #expect(load(reader) == [nil])
    #expect(try countPeople(reader) == 1)
    #expect(throws: NSError.self) { try insertPerson(reader) }
    #expect(try countPeople(writer) == 1)
  }

  @Test func pragmasOfADescriptionReachTheStore() throws {
    let url = try Self.makeFolder().appendingPathComponent("a.sqlite")
    let description = describe(url)
    description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
    let container = makeContainer([description])
    #expect(load(container) == [nil])
    try insertPerson(container)
    #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
  }

  @Test func theTimeoutOfADescriptionIsTheStores() throws {
    let url = try Self.makeFolder().appendingPathComponent("a.sqlite")
    let description = describe(url)
    description.timeout = 0.05
    let container = makeContainer([description])
    #expect(load(container) == [nil])
    let other = try SQLiteConnection(path: url.path, access: .readWrite, timeout: 1)
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: NSError.self) { try insertPerson(container) }
    #expect(error?.code == NSPersistentStoreTimeoutError)
    try other.execute("ROLLBACK")
  }

  @Test(arguments: [1, 2])
  func readersBeyondTheLimitOfConnectionsTakeTurns(limit: Int) throws {
    let description = describe(try Self.makeFolder().appendingPathComponent("a.sqlite"))
    description.setOption(
      NSNumber(value: limit), forKey: NSPersistentStoreConnectionPoolMaxSizeKey)
    let container = makeContainer([description])
    #expect(load(container) == [nil])
    try insertPerson(container)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10 { #expect((try? countPeople(container)) == 1) }
    }
  }

  @Test(arguments: [true, false])
  func aStoreOfAnotherModelIsRefusedUnlessItMayBeMigrated(migrates: Bool) throws {
    let url = try Self.makeFolder().appendingPathComponent("a.sqlite")
    let other = NSPersistentContainer(name: "Lists", managedObjectModel: TestModels.nestedLists())
    other.persistentStoreDescriptions = [describe(url)]
    #expect(load(other) == [nil])
    let description = describe(url)
    description.shouldMigrateStoreAutomatically = migrates
    description.shouldInferMappingModelAutomatically = migrates
    #expect(
      load(makeContainer([description])) == [
        migrates ? nil : NSPersistentStoreIncompatibleVersionHashError
      ])
  }

  @Test func optionsWithoutAMeaningHereChangeNothing() throws {
    let description = describe(try Self.makeFolder().appendingPathComponent("a.sqlite"))
    for key in [
      NSPersistentStoreFileProtectionKey, NSBinaryStoreInsecureDecodingCompatibilityOption,
      NSPersistentStoreDeferredLightweightMigrationOptionKey, "somebody's own",
    ] {
      description.setOption(NSNumber(value: true), forKey: key)
    }
    let container = makeContainer([description])
    #expect(load(container) == [nil])
    try insertPerson(container)
    let store = container.persistentStoreCoordinator.persistentStores[0]
    #expect(store.options?["somebody's own"] as? Bool == true)
  }

  @Test func protectionOfFilesIsToldToHaveNoEffect() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      for value in [FileProtectionType.none, .complete, .complete] {
        try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
          options: [NSPersistentStoreFileProtectionKey: value])
      }
    }
    let text = try #require(result).complaint
    let lines = text.split(separator: "\n").filter { $0.contains("FileProtectionKey") }
    #expect(lines.count == 1 && lines.first?.contains("has no effect") == true, "\(text)")
  }

  // MARK: - Models

  @Test func aMissingModelIsNamedInTheErrorStream() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        _ = NSPersistentContainer(name: "NoModelOfThisName")
      })
    let text = result.complaint
    #expect(text.contains("Failed to load model named NoModelOfThisName"))
  }

  // MARK: - CloudKit

  @Test func aStoreThatCloudKitWouldMirrorIsRefusedByName() throws {
    let description = describe(try Self.makeFolder().appendingPathComponent("a.sqlite"))
    description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
      containerIdentifier: "iCloud.example")
    let copy = description.copy() as? NSPersistentStoreDescription
    #expect(copy?.cloudKitContainerOptions?.containerIdentifier == "iCloud.example")
    var reason = ""
    makeContainer([description]).loadPersistentStores {
      reason = ($1 as NSError?)?.userInfo["reason"] as? String ?? ""
    }
    #expect(reason.contains("CloudKit") && reason.contains("iCloud.example"))
  }

  @Test func aContainerOfCloudKitKeepsItsStoresHere() throws {
    let container = NSPersistentCloudKitContainer(
      name: "People", managedObjectModel: PeopleModel.make())
    let description = try #require(container.persistentStoreDescriptions.first)
    #expect(description.cloudKitContainerOptions == nil)
    #expect(description.options[NSPersistentHistoryTrackingKey] as? Bool == true)
    description.url = try Self.makeFolder().appendingPathComponent("a.sqlite")
    #expect(load(container) == [nil])
    try insertPerson(container)
    #expect(
      container.canModifyManagedObjects(
        in: container.persistentStoreCoordinator.persistentStores[0]))
    #expect(throws: NSError.self) { try container.initializeCloudKitSchema(options: .dryRun) }
  }
}
