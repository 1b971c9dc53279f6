import CoreData
import Synchronization
import TestSupport
import Testing

@testable import CoreDataSync

/// Records in memory are bytes, as in sync's own store, and read when they are asked for.
@Suite struct PackedRecordsTests {
  private static func record(using random: inout SplitMix64) -> ReplicaRecord {
    func some<Value>(_ make: (String) -> Value) -> Named<Value> {
      Named((0..<Int.random(in: 0...12, using: &random)).map { ("name\($0)", make("name\($0)")) })
    }
    var ids = SplitMix64(seed: random.next())
    var clocks = SplitMix64(seed: random.next())
    func id() -> RecordID { .random(using: &ids) }
    func clock() -> Clock {
      Clock(ticks: clocks.next() >> 1, replica: ReplicaID(clocks.next() % 3))
    }
    var record = ReplicaRecord(entity: "Note")
    record.object = [nil, "x-coredata://STORE/Note/p7", "x-coredata://STORE/Note/t7", "odd"]
      .randomElement(using: &random)!
    record.life = Life(isDead: .random(using: &random), clock: clock())
    record.clocks = some { _ in clock() }
    record.references = some { _ in id() }
    record.positions = some { ReplicaRecord.Position(list: id(), key: $0) }
    record.parked = some { .text($0) }
    record.unsent = some { _ in .integer(-7) }
    record.unsentRegisters = Set(record.unsent.keys)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let fact = Fact(property: "count", name: id(), amount: .integer(1))
      record.facts[fact.name] = fact
      if Bool.random(using: &random) { record.unsentFacts.insert(fact.name) }
    }
    record.shown = some { _ in .members([id(), id()]) }
    record.shown["name0"] = .reference(record.references["name0"])
    record.isLifeUnsent = .random(using: &random)
    record.isKnown = .random(using: &random)
    record.isWhole = .random(using: &random)
    record.isUnexplained = .random(using: &random)
    if Bool.random(using: &random) { record.since.registers = ["name1"] }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: record.seen = nil
    case 1: record.seen = .init(attachment: 3, life: clock(), registers: some { _ in clock() })
    case 2: record.seen = .init(attachment: -1)
    default:
      record.seen = .init(
        attachment: 4, life: record.life.clock, registers: record.clocks,
        facts: Set(record.facts.keys))
    }
    return record
  }

  private static var map: ModelMap {
    ModelMap(model: HistoriesModel.full, configuration: HistoriesModel.configuration)
  }

  @Test(arguments: Sample.of([0, 1, 4, 1000]))
  func recordsAreReadAsTheyWereWritten(recentAtMost: Int) throws {
    var random = SplitMix64(seed: 5)
    var records = PackedRecords(names: NameTable(), recentAtMost: recentAtMost)
    var expected: [RecordID: ReplicaRecord] = [:]
    for _ in 0..<30 {
      for _ in 0..<10 {
        let id = RecordID(high: 0, low: UInt64.random(in: 0..<60, using: &random))
        let record = Int.random(in: 0..<4, using: &random) == 0 ? nil : Self.record(using: &random)
        records[id] = record
        expected[id] = record
      }
      if Bool.random(using: &random) { records.fold(records.packed()) }
      #expect(Set(records.keys) == Set(expected.keys))
      let unpacked = records.unpacked()
      #expect(unpacked.edits.compactMapValues { $0 } == expected)
      for low in 0..<60 as Range<UInt64> {
        let id = RecordID(high: 0, low: low)
        #expect(records[id] == expected[id])
      }
    }
  }

  @Test func everyURIIsReadAsItWasWritten() throws {
    let usual = "x-coredata://7E1B/Note/p"
    let uris =
      ["0", "1", "12", "0012", "-1", "+1", "1a", "", "１", "9999999999999999999"].map { usual + $0 }
      + ["18446744073709551615", "99999999999999999999", "1/", "1/2"].map { usual + $0 }
      + ["", "x", "x-coredata:///Note/p1", "x-coredata://7E1B//p1", "x-coredata:////p1"]
      + ["x-coredata://7E1B/Note/t1", "x-coredata://7E1B/Ä%20b/p1", "x-coredata://7E1B/Notes/p1"]
      + ["x-coredata://8E1B/Note/p1", "X-coredata://7E1B/Note/p1", "http://7E1B/Note/p1"]
    let names = NameTable()
    for uri in uris {
      var writer = StoredWriter(names: names)
      writer.write(object: uri)
      var reader = StoredReader(writer.bytes, names: names)
      #expect(try reader.object() == uri)
    }
    #expect(Set(uris.map { ObjectKey($0, names: names) }).count == uris.count)
  }

  /// Sync's own store with at most a megabyte, unless it is opened again.
  @Test func namesOfASaveThatFailedAreSavedWithTheNext() throws {
    let folder = try TestFolder.make()
    defer { TestFolder.remove(folder) }
    let url = folder.appendingPathComponent("sync.sqlite")
    let id = RecordID(high: 1, low: 1)
    var record = ReplicaRecord(entity: "Note")
    record.clocks["title"] = Clock(ticks: 5, replica: ReplicaID(9))
    var store = try SyncStore(
      url: url, options: [NSSQLitePragmasOption: ["max_page_count": "64"]])
    var (state, _, _) = try store.load(map: Self.map) { ReplicaID(1) }
    var large = record
    large.parked["title"] = .data(Data(count: 4 << 20))
    state[id] = large
    #expect(throws: (any Error).self) { try store.save(&state, unshown: nil) }
    state[id] = record
    try store.save(&state, unshown: nil)
    try store.close()
    store = try SyncStore(url: url)
    (state, _, _) = try store.load(map: Self.map) { ReplicaID(1) }
    #expect(state[id] == record)
    try store.close()
  }

  @Test func theEndOfAFirstSyncSavesWhatItChangesAlone() async throws {
    let two = try await Two()
    try two.a.edit { context in
      for number in 0..<200 { context.insert("Note", ["title": "\(number)"]) }
    }
    try await two.a.sync()
    try await two.settle()
    let third = try Phone(two.cloud)
    let most = Mutex(0)
    third.pageLimit = 20
    third.onSave = { _, new in most.withLock { $0 = max($0, new.records.edits.count) } }
    try await third.sync()
    #expect(try third.count("Note") == 200)
    #expect(most.withLock { $0 } <= 25)
  }

  @Test func noObjectHasAValueThatItsAttributeCannotHold() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { $0.insert("Note", [:]) }
    let found = try await two.a.engine.inspect { session in
      session.graph.context.performAndWait {
        [SyncValue.null, .text("m"), .integer(7), .reference(RecordID(high: 1, low: 1))].map {
          session.graph.objects(of: "Note", where: ["title": $0]).count
        }
      }
    }
    #expect(found == [1, 1, 0, 0])
  }
}
