import Foundation
import Predicates
import Testing

/// Swift's sort descriptors as those that fetches take.
@Suite struct SortDescriptorConversionTests {
  private final class Song: NSObject {
    let title: String
    let length: Int
    let album: String?

    init(_ title: String, _ length: Int = 0, album: String? = nil) {
      self.title = title
      self.length = length
      self.album = album
    }
  }

  @Test func theKeyTheOrderAndTheComparisonAreKept() {
    let byTitle = NSSortDescriptor(SortDescriptor(\Song.title))
    #expect(byTitle.key == "title" && byTitle.ascending)
    #expect("\(byTitle)" == "(title, ascending, localizedStandardCompare:)")
    let lexical = NSSortDescriptor(
      SortDescriptor(\Song.title, comparator: .lexical, order: .reverse))
    #expect("\(lexical)" == "(title, descending, compare:)")
    for (comparator, name) in [
      (String.StandardComparator.localizedStandard, "localizedStandardCompare:"),
      (.localized, "localizedCompare:"), (.lexical, "compare:"),
    ] {
      let byTitle = NSSortDescriptor(SortDescriptor(\Song.title, comparator: comparator))
      let byAlbum = NSSortDescriptor(SortDescriptor(\Song.album, comparator: comparator))
      #expect("\(byTitle)" == "(title, ascending, \(name))")
      #expect("\(byAlbum)" == "(album, ascending, \(name))")
    }
    let byLength = NSSortDescriptor(SortDescriptor(\Song.length, order: .reverse))
    #expect("\(byLength)" == "(length, descending, compare:)")
    let byAlbum = NSSortDescriptor(SortDescriptor(\Song.album))
    #expect("\(byAlbum)" == "(album, ascending, localizedStandardCompare:)")
  }

  @Test func whatIsSortedByThemIsSortedAlike() {
    let songs = [Song("item 10", 2), Song("Item 9", 3), Song("item 1", 1)]
    let sorted = (songs as NSArray).sortedArray(using: [
      NSSortDescriptor(SortDescriptor(\Song.title))
    ])
    #expect(sorted.map { ($0 as? Song)?.title } == ["item 1", "Item 9", "item 10"])
  }

  @Test func theComparatorComparesValues() {
    let byTitle = NSSortDescriptor(key: "title", ascending: false)
    #expect(byTitle.comparator("a", "b") == .orderedAscending)
    let own = NSSortDescriptor(key: "title", ascending: true) { _, _ in .orderedDescending }
    #expect(own.comparator("a", "b") == .orderedDescending)
  }
}
