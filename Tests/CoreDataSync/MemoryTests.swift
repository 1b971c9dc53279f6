import Foundation
import TestSupport
import Testing

@testable import CoreDataSync

/// What a replica keeps in memory, and beside it, against dictionaries and sets that do the same.
@Suite struct MemoryTests {
  private static func id(_ number: UInt64) -> RecordID { RecordID(high: number % 3, low: number) }

  @Test func numbersStayAsRecordsBecomeMore() {
    let numbers = RecordNumbers()
    #expect(numbers.number(Self.id(0)) == nil)
    for number in 0..<5_000 as Range<UInt64> {
      #expect(numbers.add(Self.id(number)) == number)
      #expect(numbers.add(Self.id(number / 2)) == number / 2)
    }
    #expect(numbers.count == 5_000)
    for number in 0..<5_000 as Range<UInt64> {
      #expect(numbers.number(Self.id(number)) == UInt32(number))
      #expect(numbers.id(UInt32(number)) == Self.id(number))
    }
    #expect(numbers.number(Self.id(5_000)) == nil)
  }

  /// Copies that are edited, and folded or dropped.
  @Test(arguments: Sample.of(Array(1...6 as ClosedRange<UInt64>)))
  func referrersAreThoseOfSets(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var index = ReferrerIndex(RecordNumbers())
    var sets: [RecordID: Set<RecordID>] = [:]
    for _ in 0..<60 {
      var (copy, copies) = (index, sets)
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let referrer = Self.id(.random(in: 0..<12, using: &random))
        let id = Self.id(.random(in: 0..<5, using: &random))
        if Bool.random(using: &random) {
          copy.insert(referrer, of: id)
          copies[id, default: []].insert(referrer)
        } else {
          copy.remove(referrer, of: id)
          copies[id]?.remove(referrer)
        }
      }
      for number in 0..<6 as Range<UInt64> {
        #expect(copy[Self.id(number)] == copies[Self.id(number)] ?? [])
        #expect(index[Self.id(number)] == sets[Self.id(number)] ?? [])
      }
      if Int.random(in: 0..<3, using: &random) > 0 {
        copy.fold()
        (index, sets) = (copy, copies)
      }
    }
  }

  @Test(arguments: Sample.of(Array(1...6 as ClosedRange<UInt64>)))
  func objectsAreThoseOfADictionary(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var index = ObjectIndex(RecordNumbers())
    var dictionary: [ObjectKey: RecordID] = [:]
    func key() -> ObjectKey {
      let number = UInt64.random(in: 0..<4, using: &random)
      return switch Int.random(in: 0..<5, using: &random) {
      case 0: .other("odd \(number)")
      case 1: .row(store: 1, entity: 1, number: .max - number)
      case 2: .row(store: 1, entity: 2, number: 62 + number)
      case 3: .row(store: 2, entity: 1, number: 62 + number)
      default: .row(store: 1, entity: 1, number: 62 + number)
      }
    }
    for _ in 0..<60 {
      var (copy, copies) = (index, dictionary)
      var keys: [ObjectKey] = []
      for _ in 0..<20 {
        let key = key()
        let id = Bool.random(using: &random) ? Self.id(.random(in: 0..<9, using: &random)) : nil
        (copy[key], copies[key]) = (id, id)
        keys.append(key)
      }
      for key in keys {
        #expect(copy[key] == copies[key])
        #expect(index[key] == dictionary[key])
      }
      if Int.random(in: 0..<3, using: &random) > 0 {
        copy.fold()
        (index, dictionary) = (copy, copies)
      }
    }
  }

  /// A file that has room, one in a folder that is not there, and none.
  @Test(arguments: [0, 1, 2])
  func bytesAreReadAsTheyWereAdded(place: Int) throws {
    let folder = try TestFolder()
    let missing = folder.url.appendingPathComponent("missing")
    let file = ByteFile(in: [folder.url, missing, nil][place])
    var random = SplitMix64(seed: 7)
    var all: [(start: Int, bytes: [UInt8])] = []
    for number in 0..<3_000 {
      let count = number == 1_000 ? 1 << 20 : Int.random(in: 0...600, using: &random)
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* number) }
      all.append((file.append(bytes), bytes))
      let some = all[Int.random(in: all.indices, using: &random)]
      #expect(file.bytes(at: some.start, count: some.bytes.count) == some.bytes)
    }
    #expect(all.allSatisfy { file.bytes(at: $0.start, count: $0.bytes.count) == $0.bytes })
    #expect(file.count == all.reduce(0) { $0 + $1.bytes.count })
    // Nobody sees it, and nothing is left of it.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  /// Records that are replaced again and again do not fill the disk.
  @Test func theFileBeginsAnewWhenMostOfItIsOfNoUse() throws {
    let folder = try TestFolder()
    var records = PackedRecords(names: NameTable(), recentAtMost: 0, folder: folder.url)
    func record(_ number: Int, _ round: Int) -> ReplicaRecord {
      var record = ReplicaRecord(entity: "Note")
      record.parked["text"] = .text(String(repeating: "\(number) \(round) ", count: 200))
      return record
    }
    for round in 0..<40 {
      for number in 0..<100 {
        records[Self.id(UInt64(number))] = number < 10 && round > 5 ? nil : record(number, round)
      }
      records.fold(records.packed())
    }
    for number in 0..<100 {
      #expect(records[Self.id(UInt64(number))] == (number < 10 ? nil : record(number, 39)))
    }
    #expect(records.keys.count == 90)
    #expect(Array(records.sortedKeys) == records.keys.sorted())
    // Forty rounds of 100 records of 1.2 KB are 5 MB.
    #expect(records.bytesInFile < 3 << 20)
  }

  @Test func aRecordThatIsTooLongForTheFileIsKept() {
    var records = PackedRecords(names: NameTable(), recentAtMost: 0)
    var record = ReplicaRecord(entity: "Note")
    record.unsent["image"] = .data(Data(repeating: 7, count: 17 << 20))
    for id in [Self.id(1), Self.id(2)] { records[id] = record }
    records.fold(records.packed())
    #expect(records[Self.id(1)] == record)
    records[Self.id(1)] = ReplicaRecord(entity: "Note")
    records[Self.id(2)] = nil
    records.fold(records.packed())
    #expect(records[Self.id(1)] == ReplicaRecord(entity: "Note"))
    #expect(records[Self.id(2)] == nil)
    #expect(!records.isStored(Self.id(2)))
  }
}
