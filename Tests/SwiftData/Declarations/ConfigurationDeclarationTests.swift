import SwiftData
import Testing

/// What configurations, containers, contexts and errors say of themselves.
struct ConfigurationDeclarationTests {
  @Test func aConfigurationKeepsWhatItIsGiven() throws {
    let schema = Schema([Item.self])
    let configuration = SwiftData.ModelConfiguration(
      "items", schema: schema, allowsSave: false, groupContainer: .identifier("group.items"),
      cloudKitDatabase: .private("items"))
    #expect(configuration.name == "items" && configuration.schema == schema)
    #expect(configuration.id == configuration.url && !configuration.allowsSave)
    #expect(configuration.url.lastPathComponent == "items.store")
    #expect(configuration.url.pathComponents.contains("group.items"))
    #expect(configuration.groupAppContainerIdentifier == "group.items")
    #expect(configuration.groupContainer == .identifier("group.items"))
    #expect(configuration.cloudKitDatabase == .private("items"))
    #expect(configuration.cloudKitContainerIdentifier == nil && !configuration.isStoredInMemoryOnly)
    #expect(configuration.debugDescription.contains("items.store"))
    try configuration.validate()
    let plain = ModelConfiguration("items", schema: schema)
    #expect(plain.groupContainer == .automatic && plain.cloudKitDatabase == .automatic)
    #expect(plain != configuration && Set([plain, configuration, plain]).count == 2)
    let placed = ModelConfiguration(
      url: URL(fileURLWithPath: "/tmp/a.store"), cloudKitDatabase: .none)
    #expect(placed.groupContainer == .none && placed.cloudKitDatabase == .none)
    let typed = ModelConfiguration(for: Item.self, Name.self, isStoredInMemoryOnly: true)
    #expect(typed.schema?.entities.map(\.name).sorted() == ["Item", "Name"])
    #expect(typed.isStoredInMemoryOnly && typed.name == "default")
    let types: [ModelConfiguration.CloudKitDatabase] = [.automatic, .none, .private("a")]
    let groups: [ModelConfiguration.GroupContainer] = [.automatic, .none, .identifier("a")]
    #expect(Set(types).count == 3 && Set(groups).count == 3)
    #expect(ModelConfiguration.Store.self == DefaultStore.self)
  }

  private enum Plan: SchemaMigrationPlan {
    enum Only: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Item.self, Visit.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    }

    static var schemas: [any VersionedSchema.Type] { [Only.self] }
    static var stages: [MigrationStage] { [] }
  }

  private func container() throws -> ModelContainer {
    try ModelContainer(
      for: Item.self, Visit.self, migrationPlan: Plan.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test func aContainerKeepsWhatItWasMadeWith() throws {
    let one = try container()
    let other = try container()
    #expect(one.schema.entities.map(\.name) == ["Item", "Visit"])
    #expect(one.migrationPlan == Plan.self && one == one && one != other)
    let context = ModelContext(one)
    #expect(context == context && !(context == ModelContext(one)))
  }

  @Test func allDataMayBeDeletedByTheOldName() throws {
    let container = try container()
    let context = ModelContext(container)
    context.insert(Item(timestamp: .now))
    try context.save()
    (container as any OldNames).deleteAll()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Item>()) == 0)
  }

  @Test func savesSayWhatTheyChanged() throws {
    let context = ModelContext(try container())
    nonisolated(unsafe) var told: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { told.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    func identifiers(_ key: ModelContext.NotificationKey) -> [PersistentIdentifier]? {
      told.last?[key.rawValue] as? [PersistentIdentifier]
    }
    let item = Item(timestamp: .now)
    context.insert(item)
    try context.save()
    #expect(identifiers(.insertedIdentifiers) == [item.persistentModelID])
    item.timestamp = .distantPast
    try context.save()
    #expect(identifiers(.updatedIdentifiers) == [item.persistentModelID])
    let identifier = item.persistentModelID
    context.delete(item)
    try context.save()
    #expect(identifiers(.deletedIdentifiers) == [identifier])
    // Keys of Apple's that no save here has a use for.
    let others: [ModelContext.NotificationKey] = [.queryGeneration, .invalidatedAllIdentifiers]
    #expect(others.map(\.rawValue) == ["queryGeneration", "invalidatedAllIdentifiers"])
  }

  @Test func fetchesReadOnlyWhatTheyAreAskedFor() throws {
    let context = ModelContext(try container())
    for place in ["A", "B", "C"] { context.insert(Visit(place: place)) }
    try context.save()
    var descriptor = FetchDescriptor<Visit>(sortBy: [SortDescriptor(\.place)])
    descriptor.propertiesToFetch = [\.place]
    let copy = descriptor
    #expect(copy == descriptor && descriptor != FetchDescriptor<Visit>())
    #expect(try context.fetch(descriptor).map(\.count) == [0, 0, 0])
    let found: FetchResultsCollection<PersistentIdentifier> =
      try context.fetchIdentifiers(descriptor, batchSize: 2)
    #expect(found.startIndex == 0 && found.endIndex == 3)
    #expect(try Array(found) == context.fetchIdentifiers(descriptor))
  }

  @Test func errorsAreCaughtByName() throws {
    let context = ModelContext(try container())
    func thrown(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "nothing"
      } catch SwiftDataError.unsupportedKeyPath {
        return "unsupportedKeyPath"
      } catch SwiftDataError.invalidTransactionFetchRequest {
        return "invalidTransactionFetchRequest"
      } catch SwiftDataError.sortingPendingChangesWithIdentifiers {
        return "sortingPendingChangesWithIdentifiers"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      thrown { _ = try context.fetchHistory(HistoryDescriptor<ProbeTransaction>()) }
        == "invalidTransactionFetchRequest")
    #expect(thrown { throw SwiftDataError.unsupportedKeyPath } == "unsupportedKeyPath")
    #expect(
      thrown { throw SwiftDataError.sortingPendingChangesWithIdentifiers }
        == "sortingPendingChangesWithIdentifiers")
    #expect(SwiftDataError.unsupportedKeyPath ~= SwiftDataError.unsupportedKeyPath)
    #expect(!(SwiftDataError.unsupportedKeyPath ~= ProbeFailure(text: "other")))
  }

  @Test func anActorRunsOnAnExecutorOfItsContext() async throws {
    let container = try container()
    let counter = Counter(container)
    #expect(try await counter.countAfterInsert() == 1)
    func bytes(_ executor: UnownedSerialExecutor) -> [UInt8] {
      withUnsafeBytes(of: executor) { Array($0) }
    }
    #expect(bytes(counter.unownedExecutor) == bytes(counter.executor.asUnownedSerialExecutor()))
    #expect(counter.serial.modelContext === counter.executor.modelContext)
    let seen = await withCheckedContinuation { continuation in
      let executor = counter.executor
      Task(executorPreference: OnExecutor(executor)) {
        continuation.resume(returning: executor.isIsolatingCurrentContext())
      }
    }
    #expect(seen == true)
  }

  @Test func identifiersAreKeys() throws {
    let context = ModelContext(try container())
    let visits = ["A", "B"].map { Visit(place: $0) }
    visits.forEach(context.insert)
    try context.save()
    let identifiers = visits.map(\.persistentModelID)
    let ids: [PersistentIdentifier.ID] = identifiers.map(\.id)
    #expect(Set(ids).count == 2 && Set(identifiers + identifiers).count == 2)
    let coded = try JSONDecoder().decode(
      [PersistentIdentifier].self, from: JSONEncoder().encode(identifiers))
    #expect(coded == identifiers && coded.map(\.id) == ids)
  }
}

/// Names that a build with warnings as errors cannot call otherwise.
private protocol OldNames {
  func deleteAll()
}

extension ModelContainer: OldNames {
  @available(*, deprecated)
  func deleteAll() { deleteAllData() }
}

/// An actor with an executor that it shows.
private actor Counter: ModelActor {
  nonisolated let modelContainer: ModelContainer
  nonisolated let executor: DefaultSerialModelExecutor
  nonisolated var modelExecutor: any ModelExecutor { executor }
  nonisolated var serial: any SerialModelExecutor { executor }

  init(_ container: ModelContainer) {
    modelContainer = container
    executor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
  }

  func countAfterInsert() throws -> Int {
    modelContext.insert(Item(timestamp: .now))
    try modelContext.save()
    return try modelExecutor.modelContext.fetchCount(FetchDescriptor<Item>())
  }
}

/// Hands jobs to the executor of an actor.
private final class OnExecutor: TaskExecutor {
  let executor: DefaultSerialModelExecutor

  init(_ executor: DefaultSerialModelExecutor) { self.executor = executor }

  func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job) }
}
