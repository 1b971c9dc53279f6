/// The records of a replica in two layers, as ``Layered``: bytes, as the sync store has them, which
/// all copies share, and edits upon them.
///
/// A record takes a tenth of the memory so. Those that were read or saved last are kept as values
/// too. Used by one session on one thread at a time.
struct PackedRecords {
  private final class Base {
    var bodies: [RecordID: [UInt8]]
    /// Some of them, unpacked.
    var recent: [RecordID: ReplicaRecord] = [:]
    let recentAtMost: Int
    let names: NameTable

    init(_ bodies: [RecordID: [UInt8]], recentAtMost: Int, names: NameTable) {
      (self.bodies, self.recentAtMost, self.names) = (bodies, recentAtMost, names)
    }

    func record(_ id: RecordID) -> ReplicaRecord? {
      if let record = recent[id] { return record }
      guard let body = bodies[id] else { return nil }
      var reader = StoredReader(body, names: names)
      guard let record = try? reader.record() else {
        preconditionFailure("The record \(id) was read before and cannot be read any more.")
      }
      remember(record, as: id)
      return record
    }

    func remember(_ record: ReplicaRecord?, as id: RecordID) {
      if recent.count >= recentAtMost { recent.removeAll(keepingCapacity: true) }
      recent[id] = record
    }
  }

  /// More than what a page or a message is about.
  static let usualRecent = 8_192
  private let base: Base
  /// What was set since; nil for what was removed.
  private(set) var edits: [RecordID: ReplicaRecord?] = [:]

  /// - Parameters:
  ///   - bodies: records as ``packed()`` makes them, all of which can be read.
  ///   - recentAtMost: how many are kept as values too.
  init(_ bodies: [RecordID: [UInt8]] = [:], recentAtMost: Int, names: NameTable) {
    base = Base(bodies, recentAtMost: recentAtMost, names: names)
  }

  subscript(id: RecordID) -> ReplicaRecord? {
    get {
      if let edit = edits[id] { return edit }
      return base.record(id)
    }
    set { edits.updateValue(newValue, forKey: id) }
  }

  /// A copy that has every record as a value, for who reads each of them several times.
  func unpacked() -> PackedRecords {
    var all = PackedRecords(recentAtMost: 0, names: base.names)
    for id in keys { all[id] = self[id] }
    return all
  }

  /// Whether the sync store has the record, whatever the edits say.
  func isStored(_ id: RecordID) -> Bool { base.bodies[id] != nil }

  /// The names of both layers' records.
  var keys: [RecordID] {
    base.bodies.keys.filter { edits[$0] == nil } + edits.filter { $0.value != nil }.map(\.key)
  }

  /// The bytes of what was set since.
  func packed() -> [RecordID: [UInt8]] {
    edits.compactMapValues { record in
      guard let record else { return nil }
      var writer = StoredWriter(names: base.names)
      writer.write(record)
      return Array(writer.bytes[...])  // without the room that an array grows by
    }
  }

  /// Makes the edits part of what all copies share.
  ///
  /// - Parameter bodies: their bytes, as ``packed()`` made them.
  mutating func fold(_ bodies: [RecordID: [UInt8]]) {
    for (id, record) in edits {
      base.bodies[id] = bodies[id]
      base.remember(record, as: id)
    }
    edits = [:]
  }
}
