import ListSnapshots
import Testing
import TestSupport

/// Random changes, compared with an array of sections that are arrays of items.
@Suite struct GeneratedSnapshotTests {
  private struct Model {
    var sections: [(identifier: Int, items: [Int])] = []

    var items: [Int] { sections.flatMap(\.items) }

    func section(of item: Int) -> Int? {
      sections.firstIndex { $0.items.contains(item) }
    }

    mutating func remove(_ items: [Int]) {
      for index in sections.indices { sections[index].items.removeAll(where: items.contains) }
    }

    mutating func insert(_ items: [Int], beside anchor: Int, distance: Int) {
      remove(items)
      guard let section = section(of: anchor),
        let offset = sections[section].items.firstIndex(of: anchor)
      else { return }
      sections[section].items.insert(contentsOf: items, at: offset + distance)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func agreesWithAnArrayOfArrays(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var snapshot = NSDiffableDataSourceSnapshot<Int, Int>()
    var model = Model()
    for step in 0..<150 {
      change(&snapshot, &model, step: step, using: &generator)
      expectSame(snapshot, model, "seed \(seed), step \(step)")
    }
  }

  private func change(
    _ snapshot: inout NSDiffableDataSourceSnapshot<Int, Int>, _ model: inout Model, step: Int,
    using generator: inout SplitMix64
  ) {
    let fresh = [step * 10, step * 10 + 1]
    let items = model.items
    guard let section = model.sections.indices.randomElement(using: &generator), items.count > 3
    else {
      snapshot.appendSections([step])
      snapshot.appendItems(fresh)
      return model.sections.append((step, fresh))
    }
    let picked = Array(items.shuffled(using: &generator).prefix(3))
    let identifier = model.sections[section].identifier
    switch Int.random(in: 0..<8, using: &generator) {
    case 0:
      snapshot.appendItems(fresh + [picked[0]], toSection: identifier)
      model.remove([picked[0]])
      model.sections[section].items += fresh + [picked[0]]
    case 1:
      snapshot.insertItems(fresh, beforeItem: picked[0])
      model.insert(fresh, beside: picked[0], distance: 0)
    case 2:
      snapshot.insertItems(fresh + [picked[1]], afterItem: picked[0])
      model.insert(fresh + [picked[1]], beside: picked[0], distance: 1)
    case 3:
      snapshot.moveItem(picked[0], beforeItem: picked[1])
      model.insert([picked[0]], beside: picked[1], distance: 0)
    case 4:
      snapshot.deleteItems(Array(picked.prefix(2)))
      model.remove(Array(picked.prefix(2)))
    case 5:
      snapshot.deleteSections([identifier])
      model.sections.remove(at: section)
    case 6:
      snapshot.insertSections([step], beforeSection: identifier)
      model.sections.insert((step, []), at: section)
    default:
      let last = model.sections[model.sections.count - 1].identifier
      guard last != identifier else { return }
      snapshot.moveSection(identifier, afterSection: last)
      model.sections.append(model.sections.remove(at: section))
    }
  }

  private func expectSame(
    _ snapshot: NSDiffableDataSourceSnapshot<Int, Int>, _ model: Model, _ comment: Comment
  ) {
    #expect(snapshot.sectionIdentifiers == model.sections.map(\.identifier), comment)
    #expect(snapshot.itemIdentifiers == model.items, comment)
    #expect(snapshot.numberOfItems == model.items.count, comment)
    for (index, section) in model.sections.enumerated() {
      #expect(snapshot.itemIdentifiers(inSection: section.identifier) == section.items, comment)
      #expect(snapshot.indexOfSection(section.identifier) == index, comment)
    }
    for (index, item) in model.items.enumerated() {
      #expect(snapshot.indexOfItem(item) == index, comment)
      let section = model.section(of: item).map { model.sections[$0].identifier }
      #expect(snapshot.sectionIdentifier(containingItem: item) == section, comment)
    }
  }
}
