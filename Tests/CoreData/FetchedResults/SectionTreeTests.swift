import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct SectionTreeTests {
  @Test(arguments: [0, 1, 2, 10, 1_000])
  func builtSectionsAreInOrder(count: Int) {
    let sections = (0..<count).map { FetchedSection(name: "\($0)", size: $0 % 5) }
    let tree = SectionTree(sections)
    tree.checkInvariants()
    expectSame(tree, sections)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomChangesAgreeWithAnArray(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var sections = (0..<20).map { FetchedSection(name: "\($0)", size: 1) }
    let tree = SectionTree(sections)
    for step in 0..<600 {
      let index = Int.random(in: 0...sections.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let made = FetchedSection(name: "\(step)", size: Int.random(in: 0..<4, using: &random))
        tree.insert(made, after: index > 0 ? sections[index - 1] : nil)
        sections.insert(made, at: index)
      case 1 where index < sections.count:
        tree.resize(sections[index], by: -sections[index].size)
        tree.remove(sections.remove(at: index))
      case 2 where index < sections.count:
        tree.resize(sections[index], by: 1)
      default:
        continue
      }
      tree.checkInvariants()
    }
    expectSame(tree, sections)
  }

  private func expectSame(_ tree: SectionTree, _ sections: [FetchedSection]) {
    #expect(tree.count == sections.count)
    let isSame = tree.all.elementsEqual(sections) { $0 === $1 }
    #expect(isSame)
    var start = 0
    for (index, section) in sections.enumerated() {
      #expect(tree[index] === section)
      #expect(tree.index(of: section) == index)
      #expect(tree.start(of: section) == start)
      for offset in 0..<section.size {
        let found = tree.section(containing: start + offset)
        #expect(found.section === section && found.offset == offset)
      }
      start += section.size
    }
    #expect(tree.objectCount == start)
  }
}
