import CoreDataSync

/// The rules of the server in plain values, by scans over everything: shares no code with it. What
/// proves the server's store right, and what the client's tests push to.
package struct ReferenceServer: Sendable {
  package struct Numbered<Value: Equatable & Sendable>: Equatable, Sendable {
    package var value: Value
    package var number: Int64
  }

  package struct FactName: Hashable, Sendable {
    package let property: String
    package let name: RecordID
  }

  package struct Record: Sendable {
    package let entity: String
    package var life: Life?
    package var registers: [String: Numbered<Register>] = [:]
    package var facts: [FactName: Numbered<SyncValue>] = [:]
    package var alias: RecordID?
    package var number: Int64 = 0
    package var lifeNumber: Int64 = 0
    /// Registers by which somebody lost what another had not seen.
    package var unseen: Set<String> = []
    /// Registers that went with what was deleted.
    package var taken: Set<String> = []
  }

  package let schema: SyncSchema
  package var epoch: RecordID
  /// Milliseconds since 1970.
  package var now: UInt64
  package var records: [RecordID: Record] = [:]
  package var pairs: [Pair: Numbered<PairChange>] = [:]
  package var head: Int64 = 1
  package var horizon: Int64 = 0
  /// The last message of each replica.
  package var last: [ReplicaID: RecordID] = [:]
  package var answers: [RecordID: Pushed] = [:]
  /// The number of the last row that a message made.
  package var ends: [RecordID: Int64] = [:]
  package var graves: Set<RecordID> = []
  package var ceiling: UInt64 = 0
  package var tick: UInt64 = 0
  /// How often something needed an arbiter.
  package var events: [String: Int] = [:]

  package init(schema: SyncSchema, epoch: RecordID, now: UInt64) {
    self.schema = schema
    self.epoch = epoch
    self.now = now
  }
}
