import Foundation
import TestSupport
import Testing

@testable import CoreDataSync

/// Equal archives have one fingerprint, in whatever order their dictionaries are written.
@Suite struct ArchivesTests {
  static let values: [@Sendable () -> Any] = [
    { ["a", "b"] as NSArray }, { ["b", "a"] as NSArray }, { [] as NSArray }, { [[]] as NSArray },
    { ["k": 1, "l": [2], "m": "x", "n": ["p": 1, "q": 2, "r": 3]] as NSDictionary },
    { ["k": 1, "l": [2], "m": "x", "n": ["p": 1, "q": 3, "r": 2]] as NSDictionary },
    { ["l": 1, "k": [2], "m": "x", "n": ["p": 1, "q": 2, "r": 3]] as NSDictionary },
    { NSSet(array: (0..<20).map { "\($0)" }) }, { NSSet(array: (1..<21).map { "\($0)" }) },
    { Date(timeIntervalSince1970: 1) as NSDate }, { Date(timeIntervalSince1970: 2) as NSDate },
    { "ä" as NSString }, { "a" as NSString }, { NSNumber(value: 1) }, { NSNumber(value: 1.5) },
    { Data([1]) as NSData },
    { UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")! as NSUUID },
    { ArchivedPlace(["x": 1, "y": 2, "z": 3]) }, { ArchivedPlace(["x": 1, "y": 3, "z": 2]) },
    { Array(repeating: "long", count: 300) as NSArray }, { (0..<300).map { $0 } as NSArray },
  ]

  private static func archive(_ value: Any) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
  }

  @Test func equalValuesHaveOneFingerprintAndOthersAnother() throws {
    let prints = try Self.values.map { make in
      Set(try (0..<50).map { _ in SyncValue.data(try Self.archive(make())).fingerprint })
    }
    for (place, set) in prints.enumerated() { #expect(set.count == 1, "value \(place)") }
    #expect(prints.reduce(into: Set()) { $0.formUnion($1) }.count == Self.values.count)
  }

  @Test func otherBytesAreThemselves() throws {
    let archive = try Self.archive(Self.values[4]())
    #expect(ArchiveDigest.value(of: archive) != nil)
    for length in 0..<archive.count {
      #expect(ArchiveDigest.value(of: archive.prefix(length)) == nil)
    }
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": 1], format: .binary, options: 0)
    #expect(ArchiveDigest.value(of: list) == nil)
    #expect(SyncValue.data(Data([1, 2])).fingerprint != SyncValue.data(Data([2, 1])).fingerprint)
  }

  /// Whatever a hostile server writes into an archive, it is read to an end.
  @Test func damagedArchivesAreReadToAnEnd() throws {
    var generator = SplitMix64(seed: 48)
    for make in Self.values {
      let archive = try Self.archive(make())
      for _ in 0..<300 {
        var bytes = archive
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          bytes[bytes.indices.randomElement(using: &generator)!] = .random(
            in: 0...255, using: &generator)
        }
        _ = SyncValue.data(bytes).fingerprint
      }
    }
  }
}

/// A class of an application with keys in the order of a dictionary. Archives name classes of the
/// top level alone.
final class ArchivedPlace: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true
  let values: [String: Int]
  init(_ values: [String: Int]) { self.values = values }
  required init?(coder: NSCoder) { values = [:] }
  func encode(with coder: NSCoder) {
    for (name, value) in values { coder.encode(value, forKey: name) }
  }
}
