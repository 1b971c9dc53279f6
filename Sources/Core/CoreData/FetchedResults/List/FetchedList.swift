/// The sorted, sectioned list under a fetched results controller: identities in an
/// ``OrderStatisticTree``, sections in a ``SectionTree`` beside it.
///
///     order       a b c d e f g h
///     sections    └─A─┘ └─B──┘ └C┘      sizes 2 3 … ; a section's objects are neighbours
///
/// Invariants: the sizes of the sections add up to the number of objects. No section is empty,
/// except the only one of a list without section names. Confined to one context's queue.
package final class FetchedList {
  package let order: OrderStatisticTree
  package let sections: SectionTree
  package let hasSectionNames: Bool
  /// The sections by name; includes emptied ones while a batch is applied.
  var sectionsByName: [String: FetchedSection]

  /// A list without section names: one section with all objects.
  package init(_ words: some Collection<UInt64>) {
    order = OrderStatisticTree(words)
    let section = FetchedSection(name: "", size: order.count)
    sections = SectionTree([section])
    sectionsByName = ["": section]
    hasSectionNames = false
  }

  /// A list with sections, whose sizes must add up to the number of words.
  package init(_ words: some Collection<UInt64>, sections made: [FetchedSection]) {
    order = OrderStatisticTree(words)
    sections = SectionTree(made)
    sectionsByName = Dictionary(uniqueKeysWithValues: made.map { ($0.name, $0) })
    hasSectionNames = true
    precondition(sections.objectCount == order.count, "The sections hold another number of rows")
  }

  package var count: Int { order.count }

  /// The path of a rank. O(log n).
  package func path(of rank: Int) -> ListPath {
    let (section, row) = sections.section(containing: rank)
    return ListPath(section: sections.index(of: section), row: row)
  }

  /// The rank of a path; nil if the list has no such path. O(log n).
  package func rank(of path: ListPath) -> Int? {
    guard path.section >= 0, path.section < sections.count else { return nil }
    let section = sections[path.section]
    guard path.row >= 0, path.row < section.size else { return nil }
    return sections.start(of: section) + path.row
  }

  /// The words of a section, in order.
  package func words(of section: FetchedSection) -> ContiguousArray<UInt64> {
    guard section.size > 0 else { return [] }
    let start = sections.start(of: section)
    return order.words(in: start..<start + section.size)
  }
}
