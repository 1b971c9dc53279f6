/// Produces the rows of a batch insertion from its dictionaries or its handler.
///
/// Used by one thread, inside the transaction of the insertion.
final class BatchRows {
  private let layout: EntityLayout
  private let source: Source
  /// The slots of stored attributes that must have a value.
  private let mandatory: [Int]
  @exclusivity(unchecked)
  private var position = 0
  private let toOne: [Int]
  private lazy var object = makeObject()
  @exclusivity(unchecked)
  private var dictionary: BatchDictionary
  /// The slots that the previous row had a value for; the array's memory is reused while it is
  /// unshared.
  @exclusivity(unchecked)
  private var given: [Int] = []

  private enum Source {
    case dictionaries([[String: Any]])
    case dictionaryHandler((NSMutableDictionary) -> Bool)
    case objectHandler((NSManagedObject) -> Bool)
    case nothing

    init(_ request: NSBatchInsertRequest) {
      self =
        if let dictionaries = request.objectsToInsert {
          .dictionaries(dictionaries)
        } else if let handler = request.dictionaryHandler {
          .dictionaryHandler(handler)
        } else if let handler = request.managedObjectHandler {
          .objectHandler(handler)
        } else {
          .nothing
        }
    }
  }

  init(_ request: NSBatchInsertRequest, layout: EntityLayout) {
    source = Source(request)
    self.layout = layout
    dictionary = BatchDictionary(layout)
    toOne = layout.slots.indices.filter { layout.slots[$0].kind == .toOne }
    mandatory = layout.slots.indices.filter { slot in
      let property = layout.slots[slot].property
      return property is NSAttributeDescription && !property.isOptional
        && layout.slots[slot].isStored && layout.slots[slot].composite == nil
    }
  }

  /// Fills the next row, which holds the defaults, and returns the slots that have a value; nil at
  /// the end.
  ///
  /// - Throws: error 134060 for a key that is no stored attribute and for a value of a wrong type,
  ///   1570 for a mandatory attribute without a value.
  func next(_ row: Row) throws -> BatchSlots? {
    guard let slots = try fill(row) else { return nil }
    for slot in mandatory where row[slot].isNull {
      throw CoreDataError.validation(
        .validationMissingMandatoryProperty, object: nil, key: layout.slots[slot].name)
    }
    return slots
  }

  private func fill(_ row: Row) throws -> BatchSlots? {
    switch source {
    case .dictionaries(let dictionaries):
      guard position < dictionaries.count else { return nil }
      position += 1
      var slots: [Int] = []
      slots.reserveCapacity(dictionaries[position - 1].count)
      for (key, value) in dictionaries[position - 1] {
        try set(value, key: key, row: row, slots: &slots)
      }
      return .some(slots)
    case .dictionaryHandler(let handler): return try fill(row, by: handler)
    case .objectHandler(let handler): return fill(row, by: handler) ? .all : nil
    case .nothing: return nil
    }
  }

  private func fill(
    _ row: Row, by handler: (NSMutableDictionary) -> Bool
  ) throws -> BatchSlots? {
    // A dictionary that the handler has kept stays as it is; the next row gets a new one.
    if !isKnownUniquelyReferenced(&dictionary) { dictionary = BatchDictionary(layout) }
    defer { if !isKnownUniquelyReferenced(&dictionary) { dictionary.leaveRow() } }
    // Not retained once more, sound: `self` keeps the dictionary during the call.
    return try Unmanaged.passUnretained(dictionary)._withUnsafeGuaranteedRef { dictionary in
      dictionary.begin(row)
      return handler(dictionary) ? nil : .some(try slots(of: dictionary, row))
    }
  }

  private func slots(of dictionary: BatchDictionary, _ row: Row) throws -> [Int] {
    given.removeAll(keepingCapacity: true)
    dictionary.eachSlotOfRow { given.append($0) }
    try dictionary.eachUnusual { slot, value in try set(value, slot: slot, row: row, slots: &given)
    }
    try dictionary.eachOther { key, value in try set(value, key: key, row: row, slots: &given) }
    return given
  }

  /// Lets the handler write into the row itself.
  private func fill(_ row: Row, by handler: (NSManagedObject) -> Bool) -> Bool {
    object.current = row
    if handler(object) { return false }
    let values = object.readableRow
    if values !== row { for slot in layout.slots.indices { row[slot] = values[slot] } }
    for slot in toOne { row[slot] = .null }
    return true
  }

  private func set(_ value: Any, key: String, row: Row, slots: inout [Int]) throws {
    switch layout.place(of: key) {
    case .composite(let index): try setComposite(value, index: index, row: row, slots: &slots)
    case .slot(let slot): try set(value, slot: slot, row: row, slots: &slots)
    default: throw noAttribute(key)
    }
  }

  private func set(_ value: Any, slot: Int, row: Row, slots: inout [Int]) throws {
    try layout.slots.withUnsafeBufferPointer { all in
      guard case .attribute(let type) = all[slot].kind, all[slot].isStored else {
        throw noAttribute(all[slot].name)
      }
      row[slot] = try Value(batch: value, type, name: all[slot].name)
    }
    slots.append(slot)
  }

  private func noAttribute(_ key: String) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "A batch insertion into “\(layout.entity.name ?? "")” has the key “\(key)”, which "
        + "is no stored attribute of that entity.")
  }

  private func setComposite(
    _ value: Any, index: Int, row: Row, slots: inout [Int]
  ) throws {
    do {
      for (slot, value) in try layout.slotValues(of: value, composite: index) {
        row[slot] = value
        slots.append(slot)
      }
    } catch let error as UnacceptableValue {
      throw CoreDataError.make(.coreData, reason: error.text)
    }
  }

  private func makeObject() -> NSManagedObject {
    let object = layout.objectClass.make(layout.entity)
    object.flags.remove(.fault)
    return object
  }
}

extension Value {
  fileprivate init(batch any: Any, _ type: NSAttributeType, name: String) throws {
    do { self = try Value(any, type: type, name: name) } catch let error as UnacceptableValue {
      throw CoreDataError.make(.coreData, reason: error.text)
    }
  }
}
