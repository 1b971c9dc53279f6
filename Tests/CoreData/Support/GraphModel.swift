/// The graph of the nested model as plain values: what a context's objects must agree with.
///
/// Objects are known by their titles, which never change.
struct GraphModel: Equatable {
  struct ItemState: Equatable {
    var order: Int64 = 0
    var parent: String?
    var tags: Set<String> = []
    var note: String?
  }

  var items: [String: ItemState] = [:]
  var tags: Set<String> = []
  /// Notes that are there, with the item that each belongs to, if any.
  var notes: Set<String> = []

  func children(of title: String) -> Set<String> {
    Set(items.filter { $0.value.parent == title }.keys)
  }

  func isInside(_ title: String, _ other: String) -> Bool {
    var current: String? = title
    while let now = current {
      if now == other { return true }
      current = items[now]?.parent
    }
    return false
  }

  mutating func deleteItem(_ title: String) {
    for child in children(of: title) { deleteItem(child) }
    if let note = items[title]?.note { deleteNote(note) }
    items[title] = nil
  }

  mutating func deleteTag(_ tag: String) {
    tags.remove(tag)
    for title in items.keys { items[title]?.tags.remove(tag) }
  }

  mutating func deleteNote(_ note: String) {
    notes.remove(note)
    for title in items.keys where items[title]?.note == note { items[title]?.note = nil }
  }

  mutating func setNote(_ note: String?, of title: String) {
    if let note {
      for other in items.keys where items[other]?.note == note { items[other]?.note = nil }
    }
    items[title]?.note = note
  }
}
