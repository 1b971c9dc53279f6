import Foundation
import KeyValueCoding
import Predicates
import Testing

private final class Song: KeyValueCodable {
  let title: String?
  let length: Int

  init(_ title: String?, _ length: Int) {
    self.title = title
    self.length = length
  }

  func value(forKey key: String) -> Any? {
    switch key {
    case "title": title
    case "length": NSNumber(value: length)
    default: value(forUndefinedKey: key)
    }
  }

  func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}

@Suite struct SortDescriptorTests {
  private let songs = [Song("b", 3), Song(nil, 1), Song("A", 2), Song("a", 3), Song("B", 2)]

  private func sorted(_ descriptors: NSSortDescriptor...) -> [String] {
    let songs = (songs as NSArray).sortedArray(using: descriptors) as? [Song] ?? []
    return songs.map { "\($0.title ?? "-")\($0.length)" }
  }

  @Test func nilComesFirstWhenAscending() {
    #expect(sorted(NSSortDescriptor(key: "title", ascending: true)).first == "-1")
    #expect(sorted(NSSortDescriptor(key: "title", ascending: false)).last == "-1")
  }

  @Test func compareOrdersByScalars() {
    #expect(
      sorted(NSSortDescriptor(key: "title", ascending: true)) == ["-1", "A2", "B2", "a3", "b3"])
  }

  @Test func descriptorsApplyInOrder() {
    let order = sorted(
      NSSortDescriptor(key: "length", ascending: false),
      NSSortDescriptor(key: "title", ascending: true))
    #expect(order == ["a3", "b3", "A2", "B2", "-1"])
  }

  @Test func selectorsNameTheComparison() {
    let folded = NSSortDescriptor(
      key: "title", ascending: true, selector: "caseInsensitiveCompare:")
    #expect(
      sorted(folded, NSSortDescriptor(key: "length", ascending: true)) == [
        "-1", "A2", "a3", "B2", "b3",
      ])
    #expect(folded.selectorName == "caseInsensitiveCompare:")
  }

  @Test(arguments: SortSelector.allCases) func everySelectorOrdersStrings(_ selector: SortSelector)
  {
    #expect(selector.order("a", "b") == .orderedAscending)
    #expect(selector.order("b", "a") == .orderedDescending)
    #expect(selector.order("a", "a") == .orderedSame)
  }

  @Test func finderOrdersNumbersByValue() {
    #expect(SortSelector.localizedStandardCompare.order("File 2", "File 10") == .orderedAscending)
    #expect(SortSelector.compare.order("File 2", "File 10") == .orderedDescending)
  }

  @Test func comparatorsGetTheNullObjectForNil() {
    let byPresence = NSSortDescriptor(key: "title", ascending: true) { first, second in
      switch (first is NSNull, second is NSNull) {
      case (true, false): .orderedDescending
      case (false, true): .orderedAscending
      default: .orderedSame
      }
    }
    #expect(sorted(byPresence).last == "-1")
    #expect(byPresence.selectorName == nil)
  }

  @Test func swiftKeyPathsOfAnyTypeSort() {
    #expect(sorted(NSSortDescriptor(keyPath: \Song.length, ascending: true)).first == "-1")
    #expect(sorted(NSSortDescriptor(keyPath: \Song.title, ascending: true)).first == "-1")
  }

  @Test func reversedDescriptorsKeepTheirKey() throws {
    let descriptor = NSSortDescriptor(key: "title", ascending: true, selector: "localizedCompare:")
    let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
    #expect(reversed.key == "title" && !reversed.ascending)
    #expect(reversed.selectorName == "localizedCompare:")
    #expect(reversed.reversedSortDescriptor as? NSSortDescriptor == descriptor)
  }

  @Test func descriptorsDescribeThemselves() {
    #expect(NSSortDescriptor(key: "a", ascending: true).description == "(a, ascending, compare:)")
  }

  @Test func noKeySortsTheObjectsThemselves() {
    let sorted = ([3, 1, 2] as NSArray).sortedArray(using: [
      NSSortDescriptor(key: nil, ascending: true)
    ])
    #expect(sorted as? [Int] == [1, 2, 3])
  }

  @Test func compiledDescriptorsOrderAsTheDescriptorsDo() throws {
    let descriptors = [
      NSSortDescriptor(key: "length", ascending: false),
      NSSortDescriptor(key: "title", ascending: true, selector: "caseInsensitiveCompare:"),
      NSSortDescriptor(keyPath: \Song.title, ascending: false),
    ]
    let compiled = CompiledSort(descriptors) { key in
      key == "length" ? { .integer(Int64(($0 as? Song)?.length ?? 0)) } : nil
    }
    for first in songs {
      for second in songs {
        let expected = descriptors.lazy.map { $0.compare(first, to: second) }
          .first { $0 != .orderedSame }
        #expect(try compiled.order(first, second) == expected ?? .orderedSame)
      }
    }
  }
}
