import Foundation
import SwiftData
import Testing

/// Snapshots on their way to a store and back.
struct SnapshotTests {
  /// A snapshot of a store's own: by its coding alone a context reads it.
  struct ShelfSnapshot: DataStoreSnapshot {
    let persistentIdentifier: PersistentIdentifier
    var label: String
    var books: [PersistentIdentifier]

    init(
      from backingData: any BackingData,
      relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
      let data = backingData as! any BackingData<Shelf>
      self.init(data, data.persistentModelID!)
    }

    private init(_ data: any BackingData<Shelf>, _ identifier: PersistentIdentifier) {
      persistentIdentifier = identifier
      label = data.getValue(forKey: \.label)
      let books: [Book] = data.getValue(forKey: \.books)
      self.books = books.map(\.persistentModelID)
    }

    func copy(
      persistentIdentifier: PersistentIdentifier,
      remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> ShelfSnapshot {
      ShelfSnapshot(
        persistentIdentifier, label, books.map { remappedIdentifiers?[$0] ?? $0 })
    }

    private init(
      _ identifier: PersistentIdentifier, _ label: String, _ books: [PersistentIdentifier]
    ) {
      persistentIdentifier = identifier
      self.label = label
      self.books = books
    }
  }

  final class Drawer: Hashable {
    var snapshots: [ShelfSnapshot] = []

    static func == (left: Drawer, right: Drawer) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  struct DrawerConfiguration: DataStoreConfiguration {
    typealias Store = DrawerStore

    var name = "drawer"
    var schema: Schema?
    let drawer: Drawer
  }

  final class DrawerStore: DataStore {
    typealias Configuration = DrawerConfiguration
    typealias Snapshot = ShelfSnapshot

    let configuration: DrawerConfiguration
    let schema: Schema
    var identifier: String { "drawer" }

    init(_ configuration: DrawerConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) {
      self.configuration = configuration
      schema = configuration.schema!
    }

    func fetch<T: PersistentModel>(
      _ request: DataStoreFetchRequest<T>
    ) throws -> DataStoreFetchResult<T, ShelfSnapshot> {
      if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
      return DataStoreFetchResult(
        descriptor: request.descriptor, fetchedSnapshots: configuration.drawer.snapshots)
    }

    func save(
      _ request: DataStoreSaveChangesRequest<ShelfSnapshot>
    ) throws -> DataStoreSaveChangesResult<ShelfSnapshot> {
      var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
      for snapshot in request.inserted {
        let id = try PersistentIdentifier.identifier(
          for: "drawer", entityName: "Shelf", primaryKey: UUID().uuidString)
        remapped[snapshot.persistentIdentifier] = id
        configuration.drawer.snapshots.append(
          snapshot.copy(persistentIdentifier: id, remappedIdentifiers: remapped))
      }
      return DataStoreSaveChangesResult(for: "drawer", remappedIdentifiers: remapped)
    }
  }

  @Test func aStoreMayHaveSnapshotsOfItsOwn() throws {
    let drawer = Drawer()
    let container = try ModelContainer(
      for: Shelf.self, configurations: DrawerConfiguration(drawer: drawer))
    let context = ModelContext(container)
    context.insert(Shelf(label: "A"))
    try context.save()
    #expect(drawer.snapshots.map(\.label) == ["A"])
    drawer.snapshots[0].label = "B"
    let other = ModelContext(container)
    #expect(try other.fetch(FetchDescriptor<Shelf>()).map(\.label) == ["B"])
    #expect(try other.fetchCount(FetchDescriptor<Shelf>()) == 1)
    // What a store has no method for.
    #expect(throws: DataStoreError.unsupportedFeature) { try container.erase() }
  }

  @Test func valuesOfSnapshotsAreCodedAndSent() async throws {
    let value: any DataStoreSnapshotValue = Size(width: 1, height: 2)
    let sent = await Task.detached { value }.value
    #expect(sent as? Size == Size(width: 1, height: 2))
    // The order of keys is that of a set, so the values are compared that come back.
    let coded = try JSONEncoder().encode(sent)
    #expect(try JSONDecoder().decode(Size.self, from: coded) == Size(width: 1, height: 2))
  }

  @Test func aPropertyMayBeCalledLikeTheIdentifier() {
    typealias Key = DataStoreSnapshotCodingKey
    for name in ["persistentIdentifier", "title", "modeledProperty"] {
      guard case .modeledProperty(name) = Key(stringValue: Key.modeledProperty(name).stringValue)
      else {
        Issue.record("\(name) is lost")
        continue
      }
    }
    guard case .persistentIdentifier = Key(stringValue: Key.persistentIdentifier.stringValue) else {
      Issue.record("The identifier is lost")
      return
    }
  }

  @Test func aSnapshotOfNoKnownModelSaysSo() throws {
    let text = """
      {"persistentIdentifier":{"implementation":{"primaryKey":"1","uriRepresentation":"x-coredata://a/Nothing/1",
      "isTemporary":false,"storeIdentifier":"a","entityName":"Nothing"}}}
      """
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(DefaultSnapshot.self, from: Data(text.utf8))
    }
    #expect("\(String(describing: error))".contains("Nothing"))
  }

  // MARK: - By hand

  @Test func theDefaultStoreAnswersRequests() throws {
    try LibraryStore.withFile { file in
      let schema = Schema([Author.self, Book.self, Shelf.self])
      let store = try DefaultStore(ModelConfiguration(schema: schema, url: file))
      let state = EditingState(author: "me")
      #expect(store.name == "library" && store.schema == schema && !store.identifier.isEmpty)
      var related: [PersistentIdentifier: any BackingData] = [:]
      let book = Book(title: "Emma", author: Author(name: "Austen"))
      book.tags = ["a", "b"]
      book.size = Size(width: 1.5, height: 2, unit: "cm")
      book.state = .lost
      let first = DefaultSnapshot(from: book.persistentBackingData, relatedBackingDatas: &related)
      let writer = try #require(related.values.first)
      let second = DefaultSnapshot(from: writer, relatedBackingDatas: &related)
      let result = try store.save(
        DataStoreSaveChangesRequest(inserted: [first, second], editingState: state))
      #expect(result.storeIdentifier == store.identifier)
      let id = try #require(result.remappedIdentifiers[first.persistentIdentifier])
      #expect(id.storeIdentifier == store.identifier && id.entityName == "Book")

      var descriptor = FetchDescriptor<Book>(predicate: #Predicate { $0.author?.name == "Austen" })
      descriptor.relationshipKeyPathsForPrefetching = [\.author]
      let request = DataStoreFetchRequest(descriptor: descriptor, editingState: state)
      let found = try store.fetch(request)
      #expect(found.fetchedSnapshots.map(\.persistentIdentifier) == [id])
      #expect(found.relatedSnapshots.keys.map(\.entityName) == ["Author"])
      #expect(try store.fetchCount(request) == 1)
      #expect(try store.fetchIdentifiers(request) == [id])
      let cached = try store.cachedSnapshots(
        for: [id, first.persistentIdentifier], editingState: state)
      #expect(Array(cached.keys) == [id])

      let context = ModelContext(
        try ModelContainer(
          for: schema, configurations: ModelConfiguration(schema: schema, url: file)))
      let stored = try #require(try context.fetch(FetchDescriptor<Book>()).first)
      #expect(stored.tags == ["a", "b"] && stored.size == book.size && stored.state == .lost)
      #expect(stored.author?.name == "Austen")
      // The same through JSON, as a custom store would have it.
      let coded = try JSONDecoder().decode(
        [DefaultSnapshot].self, from: JSONEncoder().encode(found.fetchedSnapshots))
      stored.title = "Kim"
      var changed = DefaultSnapshot(
        from: stored.persistentBackingData, relatedBackingDatas: &related)
      context.rollback()
      _ = try store.save(DataStoreSaveChangesRequest(updated: [changed], editingState: state))
      #expect(
        try ModelContext(context.container).fetch(FetchDescriptor<Book>()).map(\.title) == ["Kim"])
      _ = try store.save(DataStoreSaveChangesRequest(updated: coded, editingState: state))
      #expect(
        try ModelContext(context.container).fetch(FetchDescriptor<Book>()).map(\.title) == ["Emma"])

      let history = try store.fetchHistory(HistoryDescriptor())
      #expect(history.map(\.author) == ["me", "me", "me"])
      try store.deleteHistory(HistoryDescriptor())
      #expect(try store.fetchHistory(HistoryDescriptor()).isEmpty)
      try store.delete(DataStoreBatchDeleteRequest<Book>(editingState: state))
      #expect(try store.fetchCount(request) == 0)
      changed = changed.copy(persistentIdentifier: id)
      #expect(throws: SwiftDataError.modelValidationFailure) {
        try store.save(DataStoreSaveChangesRequest(updated: [changed], editingState: state))
      }
      try store.erase()
      let anew = try DefaultStore(ModelConfiguration(schema: schema, url: file))
      #expect(anew.identifier != store.identifier)
    }
    #expect(throws: SwiftDataError.configurationSchemaNotFoundInContainerSchema) {
      try DefaultStore(ModelConfiguration(isStoredInMemoryOnly: true))
    }
  }
}

@Model
final class Sketch {
  var name: String
  @Attribute(.transformable(by: "NSSecureUnarchiveFromData")) var lines: NSArray?
  @Attribute(.ephemeral) var zoom = 1

  init(name: String) { self.name = name }
}

extension SnapshotTests {
  @Test func transformersMakeWhatASnapshotHas() throws {
    try LibraryStore.withFile { file in
      func open() throws -> ModelContext {
        ModelContext(
          try ModelContainer(
            for: Sketch.self, configurations: JSONStoreConfiguration(name: "sketches", url: file)))
      }
      let context = try open()
      for name in ["a", "b"] {
        let sketch = Sketch(name: name)
        if name == "a" { sketch.lines = NSArray(array: ["x" as NSString, 7 as NSNumber]) }
        sketch.zoom = 4
        context.insert(sketch)
      }
      try context.save()
      let found = try open().fetch(FetchDescriptor<Sketch>(sortBy: [SortDescriptor(\.name)]))
      #expect(found.map(\.lines?.count) == [2, nil])
      #expect(found.first?.lines?.lastObject as? NSNumber == 7 && found.first?.zoom == 1)
      // What is kept in memory alone is in no snapshot.
      #expect(!(try String(contentsOf: file, encoding: .utf8)).contains("zoom"))
    }
  }
}
