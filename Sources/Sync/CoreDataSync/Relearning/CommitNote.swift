import Foundation

/// What a commit of sync leaves in the store's history, as the name of the context that saved it:
/// which commit it is, and which records its new objects are.
///
/// | part | |
/// |---|---|
/// | `sync` | |
/// | batch | `NUMBER-NAME`: commits are numbered, and have a name at random |
/// | records | 16 bytes for each new object, in the order of their URIs, as base64 |
///
/// The parts are divided by spaces. So the store itself says what sync's own store may have lost.
struct CommitNote: Equatable {
  let batch: String
  let records: [RecordID]

  init(batch: String, records: [RecordID]) {
    self.batch = batch
    self.records = records
  }

  /// - Parameter made: the new objects' URIs, by record.
  init(batch: String, made: [RecordID: String]) {
    self.init(batch: batch, records: made.sorted { $0.value < $1.value }.map(\.key))
  }

  /// Nil for a name that sync has not given.
  init?(contextName: String?) {
    let parts = (contextName ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "sync", let data = Data(base64Encoded: String(parts[2])),
      data.count % 16 == 0
    else { return nil }
    let bytes = Array(data)
    batch = String(parts[1])
    records = stride(from: 0, to: bytes.count, by: 16).map {
      RecordID(bytes: bytes[$0..<$0 + 16])
    }
  }

  var contextName: String {
    let bytes = records.flatMap { id in
      [id.high, id.low].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }
    return "sync \(batch) \(Data(bytes).base64EncodedString())"
  }

  /// The number of a batch; 0 without one.
  static func number(ofBatch batch: String?) -> Int64 {
    batch.flatMap { Int64($0.prefix { $0 != "-" }) } ?? 0
  }
}
