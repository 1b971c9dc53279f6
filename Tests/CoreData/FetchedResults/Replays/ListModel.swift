import KeyValueCoding

@testable import CoreData

/// A plain sorted list of rows that a ``FetchedList`` is compared with; also its reader.
final class ListModel: ListReader {
  struct Row: Equatable {
    var group: Int?
    var title: String
  }

  var rows: [UInt64: Row] = [:]
  let isSectioned: Bool

  init(isSectioned: Bool) { self.isSectioned = isSectioned }

  func entry(of word: UInt64) -> ListEntry {
    let row = rows[word]!
    let group: TypedValue = row.group.map { .integer(Int64($0)) } ?? .null
    return ListEntry(
      word: word, keys: [group, .string(row.title)],
      sectionName: isSectioned ? name(row.group) : nil)
  }

  /// Names whose own order is not that of the sections.
  func name(_ group: Int?) -> String { group.map { "\(($0 / 3) * 7 % 10)-\($0 / 3)" } ?? "" }

  func entries(of words: [UInt64]) -> [ListEntry] { words.map(entry) }

  func isOrdered(_ first: ListEntry, _ second: ListEntry) -> Bool {
    for (left, right) in zip(first.keys, second.keys) {
      switch left.order(to: right)! {
      case .orderedAscending: return true
      case .orderedDescending: return false
      case .orderedSame: continue
      }
    }
    return first.identity.tieOrder < second.identity.tieOrder
  }

  /// The list as a fresh fetch has it.
  func sections() -> [ReplayedList.Section] {
    let sorted = rows.keys.map(entry).sorted(by: isOrdered)
    guard isSectioned else { return [.init(name: "", words: sorted.map(\.word))] }
    var result: [ReplayedList.Section] = []
    for entry in sorted {
      if result.last?.name != entry.sectionName {
        result.append(.init(name: entry.sectionName!, words: []))
      }
      result[result.count - 1].words.append(entry.word)
    }
    return result
  }

  func makeList() -> FetchedList {
    let sections = sections()
    let words = sections.flatMap(\.words)
    guard isSectioned else { return FetchedList(words) }
    return FetchedList(
      words, sections: sections.map { FetchedSection(name: $0.name, size: $0.words.count) })
  }
}
