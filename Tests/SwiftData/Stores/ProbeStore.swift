import Foundation
import SwiftData

/// What a test sees of a store, and has it do.
final class Probe: Hashable {
  var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
  var log: [String] = []
  /// Thrown by the next request of this name.
  var failures: [String: any Error] = [:]
  /// Answers the next fetches, in place of what the store has.
  var answer: ((_ filters: Bool, _ limit: Int?, _ offset: Int?) -> [DefaultSnapshot])?
  var lastKey = 0
  var transactions: [ProbeTransaction] = []
  /// Called with each snapshot that is saved: the store may keep another one.
  var revised: (DefaultSnapshot) -> DefaultSnapshot? = { _ in nil }
  /// Gives new models their identifiers, in place of the numbers.
  var identify: ((DefaultSnapshot) throws -> PersistentIdentifier?)?
  var editingStates: [UUID] = []

  func note(_ request: String) throws {
    log.append(request)
    if let failure = failures.removeValue(forKey: request) { throw failure }
  }

  static func == (left: Probe, right: Probe) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

struct ProbeConfiguration: DataStoreConfiguration {
  typealias Store = ProbeStore

  var name = "probe"
  var schema: Schema?
  let probe: Probe
}

struct ProbeFailure: Error, Equatable {
  let text: String
}

struct ProbeTransaction: HistoryTransaction {
  let id: Int
  let changes: [HistoryChange] = []
  let author: String?

  var timestamp: Date { Date(timeIntervalSinceReferenceDate: Double(id)) }
  var token: Int { id }
  var transactionIdentifier: Int { id }
  var storeIdentifier: String { "probe" }

  static func == (left: Self, right: Self) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Int: @retroactive Identifiable {
  public var id: Int { self }
}

/// Keeps models in a dictionary, and says what it was asked.
final class ProbeStore: DataStore, DataStoreBatching, HistoryProviding {
  typealias Configuration = ProbeConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: ProbeConfiguration
  let schema: Schema
  var identifier: String { configuration.name }
  private var probe: Probe { configuration.probe }

  init(_ configuration: ProbeConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema!
    try configuration.probe.note("open")
  }

  private func found<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [DefaultSnapshot] {
    if let answer = probe.answer {
      let descriptor = request.descriptor
      return answer(
        descriptor.predicate != nil, descriptor.fetchLimit, descriptor.fetchOffset)
    }
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    let all = probe.snapshots.values.filter {
      $0.persistentIdentifier.entityName == Schema.entityName(for: T.self)
    }.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
    return Array(
      all.dropFirst(request.descriptor.fetchOffset ?? 0)
        .prefix(request.descriptor.fetchLimit ?? .max))
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try probe.note("fetch")
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: try found(request))
  }

  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try probe.note("count")
    return try found(request).count
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try probe.note("identifiers")
    return try found(request).map(\.persistentIdentifier)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try probe.note("save")
    probe.transactions.append(
      ProbeTransaction(id: probe.transactions.count + 1, author: request.editingState.author))
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      if let identify = probe.identify {
        remapped[snapshot.persistentIdentifier] = try identify(snapshot)
        continue
      }
      probe.lastKey += 1
      remapped[snapshot.persistentIdentifier] = try .identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName,
        primaryKey: probe.lastKey)
    }
    var revised: [PersistentIdentifier: DefaultSnapshot] = [:]
    for snapshot in request.inserted + request.updated {
      let id = snapshot.persistentIdentifier
      let saved = snapshot.copy(
        persistentIdentifier: remapped[id] ?? id, remappedIdentifiers: remapped)
      let other = probe.revised(saved)
      probe.snapshots[saved.persistentIdentifier] = other ?? saved
      revised[saved.persistentIdentifier] = other
    }
    for snapshot in request.deleted { probe.snapshots[snapshot.persistentIdentifier] = nil }
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped, snapshotsToReregister: revised)
  }

  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    try probe.note("delete")
    if request.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    for id in probe.snapshots.keys where id.entityName == Schema.entityName(for: T.self) {
      probe.snapshots[id] = nil
    }
  }

  func erase() throws {
    try probe.note("erase")
    probe.snapshots = [:]
  }

  func initializeState(for editingState: EditingState) {
    probe.editingStates.append(editingState.id)
  }

  func invalidateState(for editingState: EditingState) {
    probe.editingStates.removeAll { $0 == editingState.id }
  }

  static var historyType: ProbeTransaction.Type { ProbeTransaction.self }

  func fetchHistory(_ descriptor: HistoryDescriptor<ProbeTransaction>) throws -> [ProbeTransaction]
  {
    try probe.note("history")
    return probe.transactions
  }

  func deleteHistory(_ descriptor: HistoryDescriptor<ProbeTransaction>) throws {
    probe.transactions = []
  }
}
