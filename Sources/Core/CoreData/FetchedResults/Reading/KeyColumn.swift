import KeyValueCoding

/// Reads one key path of the objects of a list: by slot if it names a stored attribute of the
/// entity, otherwise by key-value coding.
struct KeyColumn {
  private enum Source {
    case slot(Int)
    case path(ValuePath)
  }

  private let source: Source
  /// Whether only an object can compute the value: a property of the class or a transient
  /// attribute.
  let isComputed: Bool

  /// - Throws: an error if the path is malformed.
  init(_ path: String, layout: EntityLayout) throws {
    if let slot = layout.slot(of: path), Self.isStored(layout.slots[slot]) {
      source = .slot(slot)
      isComputed = false
    } else {
      source = .path(try ValuePath(path))
      isComputed = Self.isComputed(path, layout: layout)
    }
  }

  private static func isComputed(_ path: String, layout: EntityLayout) -> Bool {
    switch layout.place(of: path.prefix { $0 != "." }.description) {
    case nil: true
    case .slot(let slot): !layout.slots[slot].isStored
    case .composite(let index): layout.composites[index].attribute.isTransient
    case .toMany, .fetched: false
    }
  }

  /// Whether the value is in the object's own row.
  var isStored: Bool { slot != nil }

  /// The value's slot in the object's own row; nil if it is not there.
  var slot: Int? {
    if case .slot(let slot) = source { slot } else { nil }
  }

  private static func isStored(_ slot: EntityLayout.Slot) -> Bool {
    slot.kind != .toOne && slot.isStored
  }

  func value(of subject: ListSubject) -> TypedValue {
    switch source {
    case .slot(let slot): subject.value(inSlot: slot)
    case .path(let path): trapping { TypedValue(try path.value(of: subject.instance)) }
    }
  }
}
