import Foundation
import KeyValueCoding
import Testing

/// Values that a set gives for a key differ as predicates tell values apart.
@Suite struct SetValueTests {
  private static let names = ["\u{C5}", "\u{212B}", "A\u{30A}", "b", "b"]

  // Foundation's sets compare dictionaries by their strings, so each has a number beside its name.
  private var people: [NSDictionary] {
    Self.names.enumerated().map { ["name": $1, "number": $0] as NSDictionary }
  }

  private func scalars(_ values: [Any]?) -> Set<[UInt32]> {
    Set((values ?? []).compactMap { ($0 as? String)?.unicodeScalars.map(\.value) })
  }

  private static let expected: Set<[UInt32]> = [[0xC5], [0x212B], [0x41, 0x30A], [0x62]]

  private func values(_ path: String, of object: Any) throws -> TypedValue {
    try ValuePath(path).typedValue(of: object)
  }

  private func elements(_ value: TypedValue) -> [Any]? {
    if case .collection(let collection) = value { collection.elements } else { nil }
  }

  @Test func pathsOverSetsKeepCanonicallyEquivalentStrings() throws {
    let names = try values("name", of: NSSet(array: people))
    #expect(elements(names)?.count == 4)
    #expect(scalars(elements(names)) == Self.expected)
    #expect(try values("name.@count", of: NSSet(array: people)) == .integer(4))
    let ordered = try values("name", of: NSOrderedSet(array: people))
    #expect(
      elements(ordered)?.compactMap { ($0 as? String)?.unicodeScalars.first?.value }
        == [0xC5, 0x212B, 0x41, 0x62])
  }

  @Test func operatorsDoToo() throws {
    let groups: NSArray = [["names": Self.names], ["names": ["c", "\u{212B}"]]]
    for path in [
      "@distinctUnionOfSets.names", "@unionOfSets.names", "@distinctUnionOfArrays.names",
    ] {
      let union = elements(try values(path, of: groups))
      #expect(scalars(union) == Self.expected.union([[0x63]]), "\(path)")
    }
    let objects = (people as NSArray).value(forKeyPath: "@distinctUnionOfObjects.name")
    #expect(scalars(objects as? [Any]) == Self.expected)
  }

  @Test func whatLeavesKeyValueCodingIsASetOfFoundations() throws {
    let names = NSSet(array: people).value(forKey: "name")
    #expect(names as? Set<String> == ["\u{C5}", "b"])
    #expect(NSSet(array: people).value(forKeyPath: "name") as? Set<String> == ["\u{C5}", "b"])
    let ordered = NSOrderedSet(array: people).value(forKey: "name") as? NSOrderedSet
    #expect(Set(ordered?.array as? [String] ?? []) == ["\u{C5}", "b"])
    let nested = NSSet(array: [["inner": NSSet(array: people)] as NSDictionary])
    let inner = nested.value(forKeyPath: "inner.name") as? NSSet
    #expect(inner?.anyObject() as? Set<String> == ["\u{C5}", "b"])
  }
}
