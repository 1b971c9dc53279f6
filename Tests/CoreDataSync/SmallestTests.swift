import TestSupport
import Testing

@testable import CoreDataSync

/// What is sent first of many.
@Suite struct SmallestTests {
  @Test(arguments: Sample.of([0, 1, 7, 64, 1000, 20_000, 100_000]))
  func theSmallestOfManyAreTheFirstOfTheSorted(_ size: Int) {
    var generator = SystemRandomNumberGenerator()
    for kinds in [size, max(1, size / 3), Int.max] {
      let members = Set((0..<size).map { _ in Int.random(in: 0...kinds, using: &generator) })
      for count in [0, 1, 10, 500, 2000, size] {
        #expect(members.smallest(count) == Array(members.sorted().prefix(count)))
      }
    }
  }
}
