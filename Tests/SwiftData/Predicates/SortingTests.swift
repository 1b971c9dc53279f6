import Foundation
import SwiftData
import Testing

@testable import SwiftData

@Suite struct SortingTests {
  let store: VolumeStore

  init() throws { store = try VolumeStore() }

  private func sorted<Key>(
    _ descriptor: SortDescriptor<Volume>, by key: (Volume) -> Key
  ) throws -> [Key] {
    try store.context.fetch(FetchDescriptor(sortBy: [descriptor])).map(key)
  }

  @Test func columns() throws {
    #expect(try sorted(SortDescriptor(\.pages), by: \.pages) == store.volumes.map(\.pages).sorted())
    #expect(
      try sorted(SortDescriptor(\.added, order: .reverse), by: \.added)
        == store.volumes.map(\.added).sorted(by: >))
    let ratings = try sorted(SortDescriptor(\.rating), by: \.rating)
    #expect(ratings.prefix(20).allSatisfy { $0 == nil } && ratings.last == 4.5)
  }

  @Test func stringsAreInTheOrderOfFileManagersOrOfScalars() throws {
    let standard = try sorted(SortDescriptor(\.title), by: \.title)
    let lexical = try sorted(SortDescriptor(\.title, comparator: .lexical), by: \.title)
    let emma = try #require(standard.firstIndex { $0.lowercased() == "emma" })
    #expect(emma < (try #require(standard.firstIndex(of: "Kim"))))
    #expect(
      try sorted(SortDescriptor(\.title, comparator: .localizedStandard), by: \.title) == standard)
    let subtitles = try sorted(
      SortDescriptor(\.subtitle, comparator: .localizedStandard, order: .reverse), by: \.subtitle)
    #expect(subtitles.first == "tale" && subtitles.last == .some(nil))
    #expect(
      (standard.lastIndex { $0.lowercased() == "emma" } ?? 0)
        < (standard.firstIndex(of: "Zorn\r\n") ?? 0))
    #expect(
      (lexical.firstIndex { Array($0.utf8) == Array("emma".utf8) } ?? 0)
        > (lexical.firstIndex(of: "Zorn\r\n") ?? 60))
  }

  /// Each comparator × each direction × a required and an optional string, handed on as a value.
  @Test(arguments: [
    (String.StandardComparator.localizedStandard, ["a", "B", "item 9", "item 10"]),
    (.localized, ["a", "B", "item 10", "item 9"]), (.lexical, ["B", "a", "item 10", "item 9"]),
  ])
  func aComparatorIsAValue(_ comparator: String.StandardComparator, _ expected: [String]) throws {
    let context = try Pets.context()
    for name in ["item 10", "a", "item 9", "B"] {
      context.insert(Pets.Pet(name: name, owner: Pets.Owner(name: name)))
    }
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      for order in [SortOrder.forward, .reverse] {
        for descriptor in [
          SortDescriptor<Pets.Pet>(\.name, comparator: comparator, order: order),
          SortDescriptor(\.owner?.name, comparator: comparator, order: order),
        ] {
          let found = try context.fetch(FetchDescriptor(sortBy: [descriptor])).map(\.name)
          #expect(found == (order == .forward ? expected : expected.reversed()))
        }
      }
    }
  }

  @Test func throughRelationships() throws {
    let names = try sorted(
      SortDescriptor(\.writer?.name, comparator: .lexical), by: { $0.writer?.name ?? "" })
    #expect(
      names
        == names.sorted {
          Array($0.unicodeScalars.map(\.value)).lexicographicallyPrecedes(
            Array($1.unicodeScalars.map(\.value)))
        })
    #expect(Set(names).count > 3)
    let born = try sorted(
      SortDescriptor(\.writer?.teacher?.born), by: { $0.writer?.teacher?.born ?? -1 })
    #expect(born == born.sorted())
  }

  @Test func byMembersOfStructuresAndRawValues() throws {
    let widths = try sorted(SortDescriptor(\.size.width, order: .reverse), by: \.size.width)
    #expect(widths == store.volumes.map(\.size.width).sorted(by: >))
    let boxes = try sorted(SortDescriptor(\.box?.width), by: { $0.box?.width ?? -1 })
    #expect(boxes == boxes.sorted() && Set(boxes).count > 2)
    let units = try sorted(
      SortDescriptor(\.original?.size.unit), by: { $0.original?.size.unit ?? "" })
    #expect(units == units.sorted() && Set(units).count == 3)
    let topics = try sorted(SortDescriptor(\.genre.rawValue), by: \.genre.rawValue)
    #expect(topics == topics.sorted() && Set(topics).count == 3)
    let ranks = try sorted(SortDescriptor(\.rank?.rawValue), by: { $0.rank?.rawValue ?? 0 })
    #expect(ranks == ranks.sorted() && Set(ranks).count == 3)
  }

  @Test(arguments: [
    SortDescriptor<Volume>(\.shout), SortDescriptor(\.note), SortDescriptor(\.size.area),
    SortDescriptor(\.writer?.name.count),
  ])
  func whatNoStoreCouldSortByIsNamed(_ descriptor: SortDescriptor<Volume>) throws {
    let error = #expect(throws: SwiftDataError.self) {
      try store.context.fetch(FetchDescriptor(sortBy: [descriptor]))
    }
    #expect(error == .unsupportedSortDescriptor)
  }
}
