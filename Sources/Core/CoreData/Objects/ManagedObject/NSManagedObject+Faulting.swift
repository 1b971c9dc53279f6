extension NSManagedObject {
  /// Makes the values readable: reads the row if needed, and calls `awakeFromFetch`.
  final func fireFault() {
    guard flags.contains(.fault) else { return }
    if currentReference == nil { adoptRowFromStore() }
    // An object that its context has released remains a fault.
    if lifecycle == .absent { return }
    flags.remove(.fault)
    if lifecycle == .inserted { return }
    addTransientDefaults()
    let wasUntracked = flags.contains(.untracked)
    flags.insert(.untracked)
    awakeFromFetch()
    if !wasUntracked { flags.remove(.untracked) }
  }

  /// Sets transient attributes to their defaults after a read: no store has their values.
  final func addTransientDefaults() {
    guard !layout.transientDefaults.isEmpty, let current else { return }
    let own = current.isSealed ? current.copy() : current
    for (slot, value) in layout.transientDefaults { own[slot] = value }
    self.current = own
  }

  /// Gives a fetched row to an object without one. The object remains a fault: its values have not
  /// been read.
  final func adopt(_ row: Row) {
    guard flags.contains(.fault), current == nil else { return }
    hold(row)
  }

  /// Drops values and members, including edits.
  final func turnIntoFault() {
    let wasFault = isFault
    if !wasFault { willTurnIntoFault() }
    hold(nil)
    members = []
    relations?.fetched = [:]
    flags.insert(.fault)
    if !wasFault { didTurnIntoFault() }
  }

  /// Makes a fault of an object that was never saved. It keeps its values: there is no row to read.
  final func turnIntoFaultWithItsValues() {
    guard !isFault else { return }
    willTurnIntoFault()
    relations?.fetched = [:]
    flags.insert(.fault)
    didTurnIntoFault()
  }

  /// The row of the current values, read if needed.
  final var readableRow: Row {
    if flags.contains(.fault) { fireFault() }
    if let current { return current }
    // The object is not in a context yet.
    let row = Row.defaults(of: self)
    current = row
    return row
  }

  /// An unsealed row that belongs to this object alone.
  final var editableRow: Row {
    let row = readableRow
    guard row.isSealed else { return row }
    let copy = row.copy()
    current = copy
    return copy
  }

  final func hasUnreadMembers(_ key: String) -> Bool {
    switch layout.place(of: key) {
    case .toMany(let index) where layout.relation(toMany: index).isTransient:
      return isFault
    case .toMany(let index):
      return lifecycle != .inserted && (storedMembers(index)?.isFault ?? true)
    case .slot(let slot):
      guard !isFault, let current, case .identity(let id) = current[slot] else { return isFault }
      return registry?.object(id.packed)?.isFault ?? true
    default:
      return false
    }
  }
}

extension Row {
  /// The row of a new object, with the model's defaults.
  static func defaults(of object: NSManagedObject) -> Row {
    let row = Row.make(object.layout, packed: object.packedIdentity, in: object.space, version: 0)
    for (slot, value) in object.layout.defaults.enumerated() { row.initialize(slot, value: value) }
    return row
  }
}
