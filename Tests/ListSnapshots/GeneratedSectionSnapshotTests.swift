import ListSnapshots
import Testing
import TestSupport

/// Random changes of a section snapshot, compared with trees of plain values.
@Suite struct GeneratedSectionSnapshotTests {
  private typealias Snapshot = NSDiffableDataSourceSectionSnapshot<Int>

  private struct Node {
    let item: Int
    var isExpanded = false
    var children: [Node] = []

    var items: [Int] { [item] + children.flatMap(\.items) }
    var visible: [Int] { [item] + (isExpanded ? children.flatMap(\.visible) : []) }
  }

  private struct Model {
    var roots: [Node] = []

    var items: [Int] { roots.flatMap(\.items) }
    var visible: [Int] { roots.flatMap(\.visible) }

    /// Changes the children of a parent.
    mutating func change(under parent: Int?, _ change: (inout [Node]) -> Void) {
      guard let parent else { return change(&roots) }
      func visit(_ nodes: inout [Node]) {
        for index in nodes.indices {
          if nodes[index].item == parent { change(&nodes[index].children) }
          visit(&nodes[index].children)
        }
      }
      visit(&roots)
    }

    mutating func change(_ item: Int, _ change: (inout [Node], Int) -> Void) {
      func visit(_ nodes: inout [Node]) {
        if let index = nodes.firstIndex(where: { $0.item == item }) {
          return change(&nodes, index)
        }
        for index in nodes.indices { visit(&nodes[index].children) }
      }
      visit(&roots)
    }

    /// The items on the way from the root to one, itself last.
    func way(to item: Int) -> [Int]? {
      func search(_ nodes: [Node]) -> [Int]? {
        for node in nodes {
          if node.item == item { return [item] }
          if let rest = search(node.children) { return [node.item] + rest }
        }
        return nil
      }
      return search(roots)
    }

    func node(_ item: Int) -> Node? {
      func search(_ nodes: [Node]) -> Node? {
        nodes.lazy.compactMap { $0.item == item ? $0 : search($0.children) }.first
      }
      return search(roots)
    }
  }

  @Test(arguments: Sample.of(1...20 as ClosedRange<UInt64>))
  func agreesWithTreesOfPlainValues(seed: UInt64) {
    print("GeneratedSectionSnapshotTests: seed \(seed)")
    var generator = SplitMix64(seed: seed)
    var snapshot = Snapshot()
    var model = Model()
    for step in 0..<120 {
      change(&snapshot, &model, step: step, using: &generator)
      expectSame(snapshot, model, "seed \(seed), step \(step)")
    }
  }

  private func change(
    _ snapshot: inout Snapshot, _ model: inout Model, step: Int,
    using generator: inout SplitMix64
  ) {
    let fresh = [step * 10, step * 10 + 1, step * 10 + 2]
    let nodes = fresh.map { Node(item: $0) }
    let items = model.items
    guard items.count > 3, let picked = items.randomElement(using: &generator) else {
      snapshot.append(fresh)
      return model.change(under: nil) { $0 += nodes }
    }
    let others = Array(items.shuffled(using: &generator).prefix(3))
    switch Int.random(in: 0..<12, using: &generator) {
    case 0:
      snapshot.append(fresh)
      model.change(under: nil) { $0 += nodes }
    case 1, 2, 3:
      snapshot.append(fresh, to: picked)
      model.change(under: picked) { $0 += nodes }
    case 4:
      snapshot.insert(fresh, before: picked)
      model.change(picked) { $0.insert(contentsOf: nodes, at: $1) }
    case 5:
      snapshot.insert(fresh, after: picked)
      model.change(picked) { $0.insert(contentsOf: nodes, at: $1 + 1) }
    case 6:
      // One may stand under another one of them, and one is not there.
      snapshot.delete(others + [-1])
      for item in others { model.change(item) { $0.remove(at: $1) } }
    case 7, 8:
      snapshot.expand(others)
      for item in others { model.change(item) { $0[$1].isExpanded = true } }
    case 9:
      snapshot.collapse(others)
      for item in others { model.change(item) { $0[$1].isExpanded = false } }
    default:
      takeTree(fresh, beside: picked, &snapshot, &model, using: &generator)
    }
  }

  /// A tree of one's own, or a part that has been taken out, goes beside or under an item.
  private func takeTree(
    _ fresh: [Int], beside picked: Int, _ snapshot: inout Snapshot, _ model: inout Model,
    using generator: inout SplitMix64
  ) {
    var tree = Snapshot()
    var nodes: [Node]
    if let cut = model.items.filter({ model.way(to: picked)?.contains($0) == false })
      .randomElement(using: &generator), Bool.random(using: &generator),
      let node = model.node(cut)
    {
      tree = snapshot.snapshot(of: cut, includingParent: true)
      nodes = [node]
      snapshot.delete([cut])
      model.change(cut) { $0.remove(at: $1) }
    } else {
      tree.append([fresh[0]])
      tree.append([fresh[1], fresh[2]], to: fresh[0])
      tree.expand([fresh[0], fresh[2]])
      nodes = [
        Node(
          item: fresh[0], isExpanded: true,
          children: [Node(item: fresh[1]), Node(item: fresh[2], isExpanded: true)])
      ]
    }
    switch Int.random(in: 0..<3, using: &generator) {
    case 0:
      snapshot.insert(tree, before: picked)
      model.change(picked) { $0.insert(contentsOf: nodes, at: $1) }
    case 1:
      snapshot.insert(tree, after: picked)
      model.change(picked) { $0.insert(contentsOf: nodes, at: $1 + 1) }
    default:
      snapshot.replace(childrenOf: picked, using: tree)
      model.change(under: picked) { $0 = nodes }
    }
  }

  private func expectSame(_ snapshot: Snapshot, _ model: Model, _ comment: Comment) {
    let items = model.items
    #expect(snapshot.items == items, comment)
    #expect(snapshot.rootItems == model.roots.map(\.item), comment)
    #expect(snapshot.visibleItems == model.visible, comment)
    let visible = Set(model.visible)
    for (index, item) in items.enumerated() {
      let way = model.way(to: item) ?? []
      #expect(snapshot.contains(item) && snapshot.index(of: item) == index, comment)
      #expect(snapshot.level(of: item) == way.count - 1, comment)
      #expect(snapshot.parent(of: item) == way.dropLast().last, comment)
      #expect(snapshot.isExpanded(item) == model.node(item)?.isExpanded, comment)
      #expect(snapshot.isVisible(item) == visible.contains(item), comment)
    }
    guard let item = items.last else { return }
    let root = model.way(to: item)?.first ?? item
    let part = snapshot.snapshot(of: root)
    let node = model.node(root)
    #expect(part.items == node.map { Array($0.items.dropFirst()) }, comment)
    #expect(part.visibleItems == node?.children.flatMap(\.visible), comment)
    let whole = snapshot.snapshot(of: root, includingParent: true)
    #expect(whole.items == node?.items && whole.visibleItems == node?.visible, comment)
    #expect(!snapshot.contains(-1) && snapshot.index(of: -1) == nil, comment)
  }
}
