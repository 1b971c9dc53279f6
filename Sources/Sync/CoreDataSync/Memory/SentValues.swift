import Foundation

/// Values by record and register, in two layers as ``Layered``: bytes in a file without a name,
/// which all copies share, and edits upon them.
///
/// Used by one session on one thread at a time.
struct SentValues {
  private final class Base {
    private var places: [RecordID: (start: Int, count: Int)] = [:]
    private let file: ByteFile
    private let names: NameTable

    init(names: NameTable, folder: URL?) {
      self.names = names
      file = ByteFile(in: folder)
    }

    subscript(id: RecordID) -> Named<SyncValue>? {
      get {
        guard let place = places[id] else { return nil }
        var reader = StoredReader(file.bytes(at: place.start, count: place.count), names: names)
        guard let values = try? reader.values() else {
          preconditionFailure("What was sent of the record \(id) cannot be read any more.")
        }
        return values
      }
      set {
        guard let newValue else { return }
        var writer = StoredWriter(names: names)
        writer.write(values: newValue)
        places[id] = (file.append(writer.bytes), writer.bytes.count)
      }
    }
  }

  private let base: Base
  private var edits: [RecordID: Named<SyncValue>] = [:]
  private let names: NameTable
  private let folder: URL?

  /// - Parameters:
  ///   - names: the names that the bytes mention.
  ///   - folder: where the file is to be; in memory without.
  init(names: NameTable, folder: URL?) {
    (self.names, self.folder) = (names, folder)
    base = Base(names: names, folder: folder)
  }

  subscript(id: RecordID) -> Named<SyncValue>? { edits[id] ?? base[id] }

  /// Adds values; of a register that has one already the new one counts.
  mutating func add(_ values: some Sequence<Named<SyncValue>.Element>, of id: RecordID) {
    edits[id] = (self[id] ?? [:]).merging(values) { _, new in new }
  }

  /// Forgets all of them, in this copy.
  mutating func removeAll() { self = SentValues(names: names, folder: folder) }

  /// Makes the edits part of what all copies share.
  mutating func fold() {
    for (id, values) in edits { base[id] = values }
    edits = [:]
  }
}
