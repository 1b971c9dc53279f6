@testable import CoreDataSamples

/// One change of a graph's plain values, with the value that whoever made it has seen.
enum GraphEdit: Equatable, CustomStringConvertible {
  case insertItem(String, order: Int64)
  case deleteItem(String, seen: GraphModel.ItemState, children: Set<String>)
  case order(String, from: Int64, to: Int64)
  case parent(String, from: String?, to: String?)
  case note(String, from: String?, to: String?)
  case tag(String, String)
  case untag(String, String)
  case insertTag(String)
  case deleteTag(String, seen: Set<String>)
  case insertNote(String)
  case deleteNote(String, seen: String?)

  /// What leads from one graph to another: what is new first, what goes last.
  static func between(_ old: GraphModel, _ new: GraphModel) -> [GraphEdit] {
    var edits: [GraphEdit] = []
    for tag in new.tags.subtracting(old.tags).sorted() { edits.append(.insertTag(tag)) }
    for note in new.notes.subtracting(old.notes).sorted() { edits.append(.insertNote(note)) }
    for (title, state) in new.items.sorted(by: { $0.key < $1.key }) where old.items[title] == nil {
      edits.append(.insertItem(title, order: state.order))
    }
    for (title, state) in new.items.sorted(by: { $0.key < $1.key }) {
      let before = old.items[title] ?? .init(order: state.order)
      if before.order != state.order {
        edits.append(.order(title, from: before.order, to: state.order))
      }
      if before.parent != state.parent {
        edits.append(.parent(title, from: before.parent, to: state.parent))
      }
      if before.note != state.note {
        edits.append(.note(title, from: before.note, to: state.note))
      }
      for tag in before.tags.subtracting(state.tags).sorted() { edits.append(.untag(title, tag)) }
      for tag in state.tags.subtracting(before.tags).sorted() { edits.append(.tag(title, tag)) }
    }
    for (title, state) in old.items.sorted(by: { $0.key < $1.key }) where new.items[title] == nil {
      edits.append(.deleteItem(title, seen: state, children: old.children(of: title)))
    }
    for tag in old.tags.subtracting(new.tags).sorted() {
      edits.append(.deleteTag(tag, seen: old.owners(ofTag: tag)))
    }
    for note in old.notes.subtracting(new.notes).sorted() {
      edits.append(.deleteNote(note, seen: old.owner(ofNote: note)))
    }
    return edits
  }

  /// The edits without deletions that an undo has taken back, and without what it has put back with them.
  static func withoutDeletionsTakenBack(_ edits: [GraphEdit]) -> [GraphEdit] {
    var left = edits
    while let pair = left.firstDeletionTakenBack {
      var changes: [GraphEdit] = []
      if case .deleteItem(let title, let seen, _) = left[pair.deletion],
        case .insertItem(_, let order) = left[pair.insertion]
      {
        // What has not come back with it has been changed, as far as the deletion has seen.
        if order != seen.order { changes.append(.order(title, from: seen.order, to: order)) }
        let putBack: [(edit: GraphEdit, change: GraphEdit)] =
          [
            (
              .parent(title, from: nil, to: seen.parent), .parent(title, from: seen.parent, to: nil)
            ),
            (.note(title, from: nil, to: seen.note), .note(title, from: seen.note, to: nil)),
          ] + seen.tags.map { (.tag(title, $0), .untag(title, $0)) }
        for (edit, change) in putBack where edit != change {
          if let index = left.indices.first(where: { $0 > pair.insertion && left[$0] == edit }) {
            left.remove(at: index)
          } else {
            changes.append(change)
          }
        }
      }
      left.replaceSubrange(pair.insertion...pair.insertion, with: changes)
      left.remove(at: pair.deletion)
    }
    return left
  }

  /// The object that comes into being by it, or goes.
  var insertedName: String? {
    switch self {
    case .insertItem(let name, _), .insertTag(let name), .insertNote(let name): name
    default: nil
    }
  }

  var deletedName: String? {
    switch self {
    case .deleteItem(let name, _, _), .deleteTag(let name, _), .deleteNote(let name, _): name
    default: nil
    }
  }

  /// The item that has another value or tag by it.
  var changedItem: String? {
    switch self {
    case .order(let title, _, _), .parent(let title, _, _), .note(let title, _, _),
      .tag(let title, _), .untag(let title, _):
      title
    default: nil
    }
  }

  /// Whether the edits of this item lead to where they began.
  static func cancelOut(_ edits: [GraphEdit], of title: String) -> Bool {
    var (order, parent, note) = ([Int64](), [String?](), [String?]())
    var tags: [String: Int] = [:]
    for edit in edits {
      switch edit {
      case .order(title, let from, let to): order += [from, to]
      case .parent(title, let from, let to): parent += [from, to]
      case .note(title, let from, let to): note += [from, to]
      case .tag(title, let tag): tags[tag, default: 0] += 1
      case .untag(title, let tag): tags[tag, default: 0] -= 1
      default: continue
      }
    }
    return order.first == order.last && parent.first == parent.last && note.first == note.last
      && tags.values.allSatisfy { $0 == 0 }
  }

  /// The edits without those of values that have led back to where they began: their save has nothing to say of them.
  static func withoutValuesTakenBack(_ edits: [GraphEdit]) -> [GraphEdit] {
    let deleted = Set(edits.compactMap(\.deletedName))
    var ways: [String: (from: String, to: String)] = [:]
    for edit in edits {
      guard let way = edit.way else { continue }
      ways[way.value] = (ways[way.value]?.from ?? way.from, way.to)
    }
    return edits.filter { edit in
      guard let way = edit.way, let title = edit.changedItem, !deleted.contains(title) else {
        return true
      }
      return ways[way.value].map { $0.from != $0.to } ?? true
    }
  }

  /// The value that the edit changes, what it was and what it is.
  private var way: (value: String, from: String, to: String)? {
    switch self {
    case .order(let title, let from, let to): ("order of \(title)", "\(from)", "\(to)")
    case .parent(let title, let from, let to): ("parent of \(title)", from ?? "", to ?? "")
    case .note(let title, let from, let to): ("note of \(title)", from ?? "", to ?? "")
    default: nil
    }
  }

  fileprivate var tag: String? {
    switch self {
    case .tag(_, let tag), .untag(_, let tag): tag
    default: nil
    }
  }

  func deletes(_ item: String) -> Bool {
    if case .deleteItem(item, _, _) = self { true } else { false }
  }

  /// The names of all objects that the edit has to do with.
  var names: Set<String> {
    switch self {
    case .insertItem(let title, _), .order(let title, _, _): [title]
    case .deleteItem(let title, let seen, let children):
      children.union([title]).union(seen.tags).union([seen.parent, seen.note].compactMap(\.self))
    case .parent(let title, let from, let to), .note(let title, let from, let to):
      Set([title, from, to].compactMap(\.self))
    case .tag(let title, let tag), .untag(let title, let tag): [title, tag]
    case .insertTag(let name), .insertNote(let name): [name]
    case .deleteTag(let tag, let seen): seen.union([tag])
    case .deleteNote(let note, let seen): Set([note, seen].compactMap(\.self))
    }
  }

  var description: String {
    switch self {
    case .insertItem(let title, let order): "insert \(title) with \(order)"
    case .deleteItem(let title, let seen, _): "delete \(title) with \(seen)"
    case .order(let title, let from, let to): "order of \(title) from \(from) to \(to)"
    case .parent(let title, let from, let to): "\(title) from \(from ?? "-") to \(to ?? "-")"
    case .note(let title, let from, let to): "note of \(title) from \(from ?? "-") to \(to ?? "-")"
    case .tag(let title, let tag): "tag \(title) \(tag)"
    case .untag(let title, let tag): "untag \(title) \(tag)"
    case .insertTag(let tag): "insert \(tag)"
    case .deleteTag(let tag, _): "delete \(tag)"
    case .insertNote(let note): "insert \(note)"
    case .deleteNote(let note, _): "delete \(note)"
    }
  }
}

extension [GraphEdit] {
  fileprivate var firstDeletionTakenBack: (deletion: Int, insertion: Int)? {
    for (insertion, edit) in enumerated() {
      guard let name = edit.insertedName else { continue }
      if let deletion = self[..<insertion].lastIndex(where: { $0.deletedName == name }) {
        return (deletion, insertion)
      }
    }
    return nil
  }
}

extension [GraphEdit] {
  /// Those that change something of what a parent shows: it may have a tag already that a child gives.
  func changing(_ model: GraphModel) -> [GraphEdit] {
    filter { edit in
      switch edit {
      case .tag(let title, let tag): model.items[title]?.tags.contains(tag) != true
      case .untag(let title, let tag): model.items[title]?.tags.contains(tag) != false
      default: true
      }
    }
  }

  /// With what leaves an item that a child has deleted: the parent may have put it there since the child has read it.
  func leaving(_ model: GraphModel) -> [GraphEdit] {
    let gone = Set(compactMap(\.deletedName))
    return flatMap { edit -> [GraphEdit] in
      guard case .deleteItem(let title, _, _) = edit else { return [edit] }
      let left = model.children(of: title).subtracting(gone).filter { child in
        !contains { if case .parent(child, _, _) = $0 { true } else { false } }
      }
      return left.sorted().map { .parent($0, from: title, to: nil) } + [edit]
    }
  }

  /// A tag that was taken and given back, or given and taken back, is no change.
  var withoutTagsTakenBack: [GraphEdit] {
    var left = self
    for edit in self {
      let back: GraphEdit
      switch edit {
      case .tag(let title, let tag): back = .untag(title, tag)
      case .untag(let title, let tag): back = .tag(title, tag)
      default: continue
      }
      guard let first = left.firstIndex(of: edit),
        let second = left.firstIndex(of: back), second > first
      else { continue }
      left.remove(at: second)
      left.remove(at: first)
    }
    return left
  }
}

extension GraphModel {
  func owners(ofTag tag: String) -> Set<String> {
    Set(items.filter { $0.value.tags.contains(tag) }.keys)
  }

  func owner(ofNote note: String) -> String? { items.first { $0.value.note == note }?.key }

  /// Makes the edits, each on what whoever made it has seen. What is wrong with that: an edit of somebody else's
  /// would be lost without a word; nil when nothing is.
  mutating func apply(_ made: [GraphEdit]) -> String? {
    let edits = GraphEdit.withoutDeletionsTakenBack(made).withoutTagsTakenBack
    // Of an item that is gone nothing is lost that was taken back, by a deletion or by an undo.
    let gone = Set(edits.compactMap(\.changedItem).filter { items[$0] == nil })
    let takenBack = gone.filter { title in
      edits.contains { $0.deletes(title) } || GraphEdit.cancelOut(edits, of: title)
    }
    for (index, edit) in edits.enumerated() {
      if let title = edit.changedItem, items[title] == nil {
        if takenBack.contains(title) || edits[index...].contains(where: { $0.deletes(title) }) {
          continue
        }
        // Edits that were made on what is deleted, and taken back.
        let deletion = edits[..<index].lastIndex { $0.deletes(title) }
        if let deletion, GraphEdit.cancelOut(Array(edits[deletion...]), of: title) { continue }
      }
      // Who deletes a tag in the end has taken it from everything.
      if let tag = edit.tag, !tags.contains(tag), edits.contains(where: { $0.deletedName == tag }) {
        continue
      }
      if let wrong = apply(edit) { return "\(edit): \(wrong)" }
    }
    for (title, state) in items {
      if let parent = state.parent, items[parent] == nil { return "\(title) is in \(parent)" }
      if isInside(state.parent ?? "", title) { return "\(title) is inside of itself" }
      if let tag = state.tags.first(where: { !tags.contains($0) }) { return "\(title) has \(tag)" }
      if let note = state.note, !notes.contains(note) { return "\(title) has \(note)" }
    }
    return nil
  }

  private mutating func apply(_ edit: GraphEdit) -> String? {
    switch edit {
    case .insertItem(let title, let order): items[title] = .init(order: order)
    case .insertTag(let tag): tags.insert(tag)
    case .insertNote(let note): notes.insert(note)
    case .order(let title, let from, let to): return set(\.order, title, from, to)
    case .parent(let title, let from, let to): return set(\.parent, title, from, to)
    case .note(let title, let from, let to): return set(\.note, title, from, to)
    case .tag(let title, let tag):
      guard items[title] != nil, tags.contains(tag) else { return "is gone" }
      items[title]?.tags.insert(tag)
    case .untag(let title, let tag): items[title]?.tags.remove(tag)
    case .deleteItem(let title, let seen, _):
      let state = items.removeValue(forKey: title)
      if let state, state.order != seen.order { return "has \(state)" }
    // Who has them has them no more, seen or not.
    case .deleteTag(let tag, _):
      tags.remove(tag)
      for title in owners(ofTag: tag) { items[title]?.tags.remove(tag) }
    case .deleteNote(let note, _):
      notes.remove(note)
      if let title = owner(ofNote: note) { items[title]?.note = nil }
    }
    return nil
  }

  private mutating func set<Value: Equatable>(
    _ path: WritableKeyPath<ItemState, Value>, _ title: String, _ from: Value, _ to: Value
  ) -> String? {
    guard let value = items[title]?[keyPath: path] else { return "is gone" }
    if value != from, value != to { return "is \(value)" }
    items[title]?[keyPath: path] = to
    return nil
  }
}
