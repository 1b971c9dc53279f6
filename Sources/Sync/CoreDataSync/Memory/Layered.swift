/// A dictionary in two layers: what the sync store has, which all copies share, and edits upon it.
///
/// A copy costs nothing, and its edits are exactly what a save has to write. `fold()` makes the
/// edits of the copy that was saved the truth of all copies; the others are dropped then.
struct Layered<Key: Hashable, Value> {
  private final class Base {
    var values: [Key: Value]
    init(_ values: [Key: Value]) { self.values = values }
  }
  private let base: Base
  /// What was set since; nil for what was removed.
  private(set) var edits: [Key: Value?] = [:]

  init(_ values: [Key: Value] = [:]) { base = Base(values) }

  subscript(key: Key) -> Value? {
    get {
      if let edit = edits[key] { return edit }
      return base.values[key]
    }
    set { edits.updateValue(newValue, forKey: key) }
  }

  subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    set { self[key] = newValue }
  }

  /// Whether the sync store has a value of the key, whatever the edits say.
  func isStored(_ key: Key) -> Bool { base.values[key] != nil }

  /// The keys of both layers.
  var keys: [Key] {
    base.values.keys.filter { edits[$0] == nil } + edits.filter { $0.value != nil }.map(\.key)
  }

  var count: Int {
    edits.reduce(base.values.count) { count, edit in
      count + (edit.value == nil ? 0 : 1) - (base.values[edit.key] == nil ? 0 : 1)
    }
  }

  /// Makes the edits part of what all copies share.
  mutating func fold() {
    for (key, value) in edits { base.values[key] = value }
    edits = [:]
  }
}

extension Layered where Value: SetAlgebra {
  // Members change in place: a set of a hundred thousand, which a folder has of its notes, would be
  // copied for each of them.

  mutating func insert(_ member: Value.Element, at key: Key) {
    guard self[key]?.contains(member) != true else { return }
    change(key) { $0.insert(member) }
  }

  mutating func remove(_ member: Value.Element, at key: Key) {
    guard self[key]?.contains(member) == true else { return }
    change(key) { $0.remove(member) }
  }

  private mutating func change(_ key: Key, by body: (inout Value) -> Void) {
    func change(_ members: inout Value?) {
      var own = members.take() ?? Value()
      body(&own)
      members = own.isEmpty ? nil : own
    }
    change(&edits[key, default: base.values[key]])
  }
}
