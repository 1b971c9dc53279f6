/// What a context sees: what is saved, and its own changes on top of it.
struct NodeView {
  struct Node: Equatable {
    var text: String
    var parent: Int?
  }

  /// One property of one node that was set and not saved.
  struct Changes {
    var inserted: Set<Int> = []
    var deleted: Set<Int> = []
    var texts: [Int: String] = [:]
    var parents: [Int: Int?] = [:]

    func touches(_ node: Int) -> Bool {
      inserted.contains(node) || deleted.contains(node) || texts[node] != nil
        || parents[node] != nil || parents.values.contains { $0 == node }
    }

    var isEmpty: Bool {
      inserted.isEmpty && deleted.isEmpty && texts.isEmpty && parents.isEmpty
    }
  }

  var changes = Changes()
  /// The changes before each action that can be taken back.
  var past: [Changes] = []

  func nodes(over saved: [Int: Node]) -> [Int: Node] {
    var nodes = saved
    for node in changes.inserted { nodes[node] = Node(text: "", parent: nil) }
    for (node, text) in changes.texts { nodes[node]?.text = text }
    for (node, parent) in changes.parents { nodes[node]?.parent = parent }
    for node in changes.deleted { nodes[node] = nil }
    return nodes
  }

  mutating func act(_ body: (inout Changes) -> Void) {
    past.append(changes)
    body(&changes)
  }

  mutating func insert(_ node: Int, _ text: String, _ parent: Int?) {
    act {
      $0.inserted.insert(node)
      $0.texts[node] = text
      $0.parents[node] = .some(parent)
    }
  }

  mutating func delete(_ node: Int, over saved: [Int: Node]) {
    let children = nodes(over: saved).filter { $0.value.parent == node }.keys
    act { changes in
      for child in children where child != node { changes.parents[child] = .some(nil) }
      if changes.inserted.remove(node) == nil { changes.deleted.insert(node) }
      changes.texts[node] = nil
      changes.parents[node] = nil
    }
  }

  /// What is set to the value that was saved is no change: it gives way to what another saves.
  mutating func forgetWhatIsNone(over saved: [Int: Node]) {
    changes.texts = changes.texts.filter { node, text in
      changes.inserted.contains(node) || saved[node]?.text != text
    }
    changes.parents = changes.parents.filter { node, parent in
      changes.inserted.contains(node) || saved[node]?.parent != parent
    }
  }

  mutating func forgetChanges() {
    changes = Changes()
    past = []
  }
}
