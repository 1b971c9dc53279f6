import Foundation

/// The records of a replica in two layers, as ``Layered``: bytes, as the sync store has them, which
/// all copies share, and edits upon them.
///
/// The bytes are in a file without a name, those of a small store in memory; in memory a record
/// takes eight bytes here. Those that were read or saved last are kept as values too. Used by one
/// session on one thread at a time.
struct PackedRecords {
  private final class Base {
    /// By a record's number, where its bytes are; zero of one that there is not.
    private var places: [Place] = []
    private var file: ByteFile
    /// How many bytes of the file are no record's any more.
    private var unused = 0
    /// Bytes that are too many for a place.
    private var large: [UInt32: [UInt8]] = [:]
    /// Some of them, unpacked.
    private var recent: [RecordID: ReplicaRecord] = [:]
    private let recentAtMost: Int
    private let folder: URL?
    let numbers: RecordNumbers
    let names: NameTable

    init(numbers: RecordNumbers, names: NameTable, recentAtMost: Int, folder: URL?) {
      (self.numbers, self.names) = (numbers, names)
      (self.recentAtMost, self.folder) = (recentAtMost, folder)
      file = ByteFile(in: folder)
    }

    func record(_ id: RecordID) -> ReplicaRecord? {
      if let record = recent[id] { return record }
      guard let body = body(id) else { return nil }
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

    var bytesInFile: Int { file.count }

    func has(_ id: RecordID) -> Bool { numbers.number(id).map(place)?.isFilled ?? false }

    /// The numbers of all records.
    var all: [UInt32] { places.indices.filter { places[$0].isFilled }.map { UInt32($0) } }

    private func body(_ id: RecordID) -> [UInt8]? {
      guard let number = numbers.number(id) else { return nil }
      return body(number, at: place(number))
    }

    private func body(_ number: UInt32, at place: Place) -> [UInt8]? {
      guard place.isFilled else { return nil }
      return large[number] ?? file.bytes(at: place.start, count: place.count)
    }

    private func place(_ number: UInt32) -> Place {
      number < places.count ? places[Int(number)] : Place()
    }

    func set(_ body: [UInt8]?, for id: RecordID) {
      if body == nil, !has(id) { return }
      let number = numbers.add(id)
      if places.count <= number {
        places += Array(repeating: Place(), count: numbers.count - places.count)
      }
      unused += large.removeValue(forKey: number) == nil ? place(number).count : 0
      guard let body else {
        places[Int(number)] = Place()
        return
      }
      guard let place = Place(start: file.count, count: body.count) else {
        large[number] = body
        places[Int(number)] = .elsewhere
        return
      }
      _ = file.append(body)
      places[Int(number)] = place
    }

    /// Begins the file anew when most of it is of no use.
    func tidy() {
      guard unused > max(1 << 20, file.count / 2) else { return }
      let tidied = ByteFile(in: folder)
      for number in all where large[number] == nil {
        guard let body = body(number, at: place(number)),
          let place = Place(start: tidied.append(body), count: body.count)
        else { continue }
        places[Int(number)] = place
      }
      (file, unused) = (tidied, 0)
    }
  }

  /// Where bytes are in the file.
  private struct Place {
    /// The start in 40 bits, and the number of bytes.
    private let word: UInt64

    init() { word = 0 }

    private init(word: UInt64) { self.word = word }

    /// Nil if they are too many, or too far.
    init?(start: Int, count: Int) {
      guard count < 0xff_ffff, start < 1 << 40 else { return nil }
      word = UInt64(start) << 24 | UInt64(count)
    }

    /// Of bytes that are not in the file.
    static let elsewhere = Place(word: 0xff_ffff)

    var isFilled: Bool { word != 0 }
    var start: Int { Int(word >> 24) }
    var count: Int { Int(word & 0xff_ffff) }
  }

  /// More than what a page or a message is about.
  static let usualRecent = 4_096
  private let base: Base
  /// What was set since; nil for what was removed.
  private(set) var edits: [RecordID: ReplicaRecord?] = [:]

  /// No records yet.
  ///
  /// - Parameters:
  ///   - recentAtMost: how many are kept as values too.
  ///   - folder: where the file is to be; in memory without.
  init(
    numbers: RecordNumbers = RecordNumbers(), names: NameTable, recentAtMost: Int,
    folder: URL? = nil
  ) {
    base = Base(numbers: numbers, names: names, recentAtMost: recentAtMost, folder: folder)
  }

  subscript(id: RecordID) -> ReplicaRecord? {
    get {
      if let edit = edits[id] { return edit }
      return base.record(id)
    }
    set { edits.updateValue(newValue, forKey: id) }
  }

  /// Adds what the sync store has of a record.
  ///
  /// - Parameter body: bytes as ``packed()`` makes them, which can be read.
  func addStored(_ id: RecordID, _ body: [UInt8]) { base.set(body, for: id) }

  /// A copy that has every record as a value, for who reads each of them several times.
  func unpacked() -> PackedRecords {
    var all = PackedRecords(names: base.names, recentAtMost: 0)
    for id in keys { all[id] = self[id] }
    return all
  }

  /// How many bytes the file has, those of no use with them.
  var bytesInFile: Int { base.bytesInFile }

  /// Whether the sync store has the record, whatever the edits say.
  func isStored(_ id: RecordID) -> Bool { base.has(id) }

  /// The names of both layers' records.
  var keys: some BidirectionalCollection<RecordID> { numbers.lazy.map(base.numbers.id) }

  /// The names of both layers' records in their order.
  var sortedKeys: some BidirectionalCollection<RecordID> {
    let all = base.numbers
    var numbers = numbers
    numbers.sort { all.id($0) < all.id($1) }
    return numbers.lazy.map(all.id)
  }

  private var numbers: [UInt32] {
    if edits.isEmpty { return base.all }
    let all = base.numbers
    return base.all.filter { edits[all.id($0)] == nil }
      + edits.filter { $0.value != nil }.map { all.add($0.key) }
  }

  /// The bytes of what was set since.
  func packed() -> [RecordID: [UInt8]] {
    edits.compactMapValues { record in
      guard let record else { return nil }
      var writer = StoredWriter(names: base.names)
      writer.write(record)
      return writer.bytes
    }
  }

  /// Makes the edits part of what all copies share.
  ///
  /// - Parameter bodies: their bytes, as ``packed()`` made them.
  mutating func fold(_ bodies: [RecordID: [UInt8]]) {
    for (id, record) in edits {
      base.set(bodies[id], for: id)
      base.remember(record, as: id)
    }
    edits = [:]
    base.tidy()
  }
}
