import Foundation
import ListSnapshots
import Testing

@Suite struct IndexPathTests {
  @Test func aRowHasASectionAndARow() {
    let path = IndexPath(row: 3, section: 2)
    #expect((path.section, path.row, path.item) == (2, 3, 3))
    #expect(path == IndexPath(indexes: [2, 3]))
    #expect(path == IndexPath(item: 3, section: 2))
  }

  @Test func rowItemAndSectionCanBeSet() {
    var path = IndexPath(row: 0, section: 0)
    path.row = 4
    path.section = 5
    #expect(path == IndexPath(row: 4, section: 5))
    path.item += 1
    #expect(path.row == 5)
  }

  @Test func pathsSortBySectionThenRow() {
    let paths = [IndexPath(row: 1, section: 1), IndexPath(row: 9, section: 0)]
    #expect(paths.sorted() == paths.reversed())
  }

  @Test func anotherLengthTrapsWithUIKitsText() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = IndexPath(index: 1).row
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("must contain exactly two indices specifying the section and row"))
  }
}
