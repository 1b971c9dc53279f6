import CoreData
import TestSupport
import Testing

@testable import CoreDataSync

/// The pieces that need neither stores nor engines.
@Suite struct PiecesTests {
  private static let signs = (1...3).map { ListKey.sign(of: ReplicaID($0 * 1_000_003)) }

  /// Keys that are there already, of this and of other programs, and the most that are made at once.
  @Test(arguments: [
    ([], 1), ([], 40), (["i"], 3), (["i", "r", "v", "x", "y", "z", "zi"], 40),
    (["h", "hz", "i0", "i1"], 5), (["00i", "zzzzzzzzzzzzzzzzzzzzz"], 40),
    (["i1", signs[0], "i1" + signs[0] + "i1", "i1" + signs[1] + "zz"].sorted(), 4),
  ])
  func keysOfAListAlwaysHaveRoomBetweenThem(known: [String], most: Int) {
    var random = SplitMix64(seed: 1)
    var keys = known
    var last = 0
    while keys.count < 3000 {
      // Most are put at an end, or after the last ones, as people do.
      let place = [
        0, keys.count, min(last, keys.count), Int.random(in: 0...keys.count, using: &random),
      ]
      .randomElement(using: &random)!
      let count = Int.random(in: 1...most, using: &random)
      let new = ListKey.keys(
        count, between: place == 0 ? "" : keys[place - 1],
        place == keys.count ? nil : keys[place], sign: Self.signs.randomElement(using: &random)!)
      #expect(new.count == count && !new.contains { $0.hasSuffix("0") })
      keys.insert(contentsOf: new, at: place)
      last = place + count
    }
    #expect(keys == keys.sorted())
    #expect(Set(keys).count == keys.count)
  }

  /// A list of 20,000 that grows at one of its ends or in one place, one by one or by many, by one
  /// device or by three in turns.
  @Test(arguments: Sample.of([1, 7, 20_000], ["beginning", "middle", "end"]))
  func keysOfLongListsAreShort(atOnce: Int, place: String) {
    for devices in [1, 3] { checkLongLists(atOnce: atOnce, place: place, devices: devices) }
  }

  private func checkLongLists(atOnce: Int, place: String, devices: Int) {
    var keys = place == "middle" ? ["i1", "i2"] : []
    var turn = 0
    while keys.count < 20_000 {
      let sign = Self.signs[turn % devices]
      turn += 1
      switch place {
      case "beginning":
        keys.insert(
          contentsOf: ListKey.keys(atOnce, between: "", keys.first, sign: sign), at: 0)
      case "end": keys += ListKey.keys(atOnce, between: keys.last ?? "", nil, sign: sign)
      default:
        // Behind the last ones; three that do so in turns nest their rows, which is not looked at.
        if devices > 1, atOnce < 20_000 { return }
        let end = keys.count - 1
        keys.insert(
          contentsOf: ListKey.keys(atOnce, between: keys[end - 1], keys[end], sign: sign), at: end)
      }
    }
    #expect(keys == keys.sorted())
    #expect(keys.map(\.count).max() ?? 0 <= 9)
  }

  @Test func keysThatNobodyWritesEndTheSearch() {
    for (low, high) in [("z", "a"), ("a", "a"), ("é", "0"), ("0", "0"), ("", "0")] {
      #expect(ListKey.keys(5, between: low, high, sign: "a1").count == 5)
    }
    for key in ["é", "~", "0", "i~", "", "a1", "éa1i", "a1~~", "a1~"] {
      #expect(ListKey.keys(5, between: key, nil, sign: "a1").count == 5)
      #expect(ListKey.keys(5, between: "", key, sign: "a1").count == 5)
    }
  }

  @Test func theLongestAscentIsFound() {
    let ids = (0..<6).map { RecordID(high: 0, low: UInt64($0)) }
    let keys = [3, 1, 2, 5, 4, 6]
    let run = Scan.longestAscent(ids) { keys[Int($0.low)] }
    #expect(run.count == 4)
    #expect(run.isSuperset(of: [ids[1], ids[2], ids[5]]))
  }

  @Test func valuesAreStoredAsTheyWere() throws {
    let id = RecordID(high: .max, low: 7)
    let values: [SyncValue] = [
      .null, .bool(true), .bool(false), .integer(.min), .integer(.max), .integer(-1), .double(-0.5),
      .decimal("-12.50"), .text("ä😀"), .date(1.5), .data(Data([0, 255])), .uuid(UUID()),
      .url("http://a/b"), .reference(id), .position(list: id, key: "k"),
      .position(list: nil, key: ""), .blob(hash: Data([1]), size: 5),
      .composite(["a": .integer(1), "b": .composite(["c": .null])]),
    ]
    let names = NameTable()
    var writer = StoredWriter(names: names)
    for value in values { writer.write(value) }
    var reader = StoredReader(writer.bytes, names: names)
    #expect(try values.map { _ in try reader.value() } == values)
    #expect(Set(values.map(\.fingerprint)).count == values.count)
  }

  @Test func damagedBytesAreAnError() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      var reader = StoredReader(bytes, names: NameTable(names: ["a"], replicas: [ReplicaID(1)]))
      _ = try? reader.record()
      var other = StoredReader(bytes, names: NameTable())
      _ = try? other.standing()
    }
  }

  @Test func theSchemaSaysWhatTheModelSays() {
    let schema = SyncSchema(
      model: HistoriesModel.full, configuration: HistoriesModel.configuration)
    let folder = schema.entities["Folder"]
    #expect(folder?.counters == ["count"])
    #expect(folder?.attributes == ["title": false])
    #expect(folder?.references["account"]?.rule == .deny)
    #expect(folder?.references["account"]?.isRequired == true)
    #expect(folder?.references["up"]?.isAcyclic == true)
    #expect(schema.entities["Note"]?.references["folder"]?.list == "notes")
    #expect(schema.entities["Note"]?.references["cover"]?.inverse == "note")
    #expect(schema.entities["Tag"]?.uniqueness == [["name"]])
  }
}
