import Foundation
import Testing

@testable import CoreData

/// What is written can be read by Foundation, and the other way round.
struct BinaryPropertyListTests {
  private static var table: [String: Any] {
    [
      "text": "plain", "wide": "Käse 🧀", "long": String(repeating: "x", count: 300),
      "small": 7, "middle": 300, "large": 5_000_000_000, "negative": -3, "real": 1.5,
      "yes": true, "no": false, "data": Data([1, 2, 3]),
      "date": Date(timeIntervalSinceReferenceDate: 1000),
      "list": ["a", "b", 3] as [Any], "empty": [Any](),
      "table": ["inner": ["deep": 1]] as [String: Any],
    ]
  }

  @Test func foundationReadsWhatIsWritten() throws {
    let data = try BinaryPropertyList.data(Self.table)
    let read = try PropertyListSerialization.propertyList(from: data, format: nil)
    #expect(ModelValue.areEqual(read, Self.table))
    let yes = try #require((read as? [String: Any])?["yes"])
    #expect(
      "\(type(of: yes))" == "Bool" || (yes as? NSNumber)?.objCType.pointee == 99, "a truth value")
  }

  @Test func whatFoundationWritesIsRead() throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: Self.table, format: .binary, options: 0)
    let read = try #require(BinaryPropertyListReader.value(of: data) as? [String: Any])
    #expect(read.count == Self.table.count)
    for (key, value) in Self.table { #expect(ModelValue.areEqual(read[key], value), "\(key)") }
  }

  @Test func truthValuesAreNoNumbers() throws {
    #expect(try BinaryPropertyList.data(["a": true]).contains(9))
    let one = try BinaryPropertyList.data(["a": 1])
    let truth = try BinaryPropertyList.data(["a": true])
    let boxed = try BinaryPropertyList.data(["a": NSNumber(value: true)])
    #expect(one != truth && boxed == truth)
  }

  @Test func theSameValueGivesTheSameBytes() throws {
    let first = try BinaryPropertyList.data(Self.table)
    let second = try BinaryPropertyList.data(
      Dictionary(uniqueKeysWithValues: Self.table.map { ($0.key, $0.value) }))
    #expect(first == second)
  }

  @Test func damagedDataIsNil() throws {
    let data = try BinaryPropertyList.data(Self.table)
    for length in 0..<data.count {
      #expect(BinaryPropertyListReader.value(of: data.prefix(length)) == nil)
    }
  }
}
