/// Binds the values of rows to the parameters of INSERT and UPDATE.
///
/// Immutable; made once per entity and kept.
///
/// Sendable: nothing changes after `init`.
final class RowEncoder: @unchecked Sendable {
  /// A slot that is written, with its columns.
  struct Target {
    let slot: Int
    let mapping: ColumnMapping
    let codec: SlotCodec
    /// Whether a second column has the entity of the referenced object.
    let hasEntityColumn: Bool

    init(slot: Int, mapping: ColumnMapping, codec: SlotCodec) {
      self.slot = slot
      self.mapping = mapping
      self.codec = codec
      hasEntityColumn = mapping.entityColumn != nil
    }
  }

  let entity: EntityMapping
  /// The written slots of a new row, in the order of their columns.
  let targets: [Target]
  /// The targets of attributes with external storage.
  let markedTargets: [Target]
  private let targetsBySlot: [Target?]
  /// The INSERT of a row: `Z_PK`, `Z_ENT`, `Z_OPT`, then the targets.
  let insertion: String
  private let mapping: SQLMapping

  init(
    _ entity: EntityMapping, mapping: SQLMapping, codec: (EntityLayout.Slot) -> SlotCodec
  ) {
    self.entity = entity
    self.mapping = mapping
    targetsBySlot = zip(entity.layout.slots, entity.columns).enumerated().map { index, pair in
      guard let column = pair.1, !column.isDerived else { return nil }
      return Target(slot: index, mapping: column, codec: codec(pair.0))
    }
    targets = targetsBySlot.compactMap { $0 }
    markedTargets = targets.filter(\.codec.isMarked)
    let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + targets.flatMap(\.columns)
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    insertion =
      "INSERT INTO \(SQLIdentifier.quoted(entity.table)) (\(columns.joined(separator: ", "))) "
      + "VALUES (\(marks))"
  }

  /// The targets of some slots; slots without columns are skipped.
  func targets(of slots: [Int]) -> [Target] { slots.compactMap { targetsBySlot[$0] } }

  /// The UPDATE of a row: `Z_OPT`, the targets, then the key and the version that was read.
  func update(_ targets: [Target]) -> String {
    let columns = ["Z_OPT = ?"] + targets.flatMap(\.columns).map { "\($0) = ?" }
    return "UPDATE \(SQLIdentifier.quoted(entity.table)) SET \(columns.joined(separator: ", ")) "
      + "WHERE Z_PK = ? AND IFNULL(Z_OPT, 0) = ?"
  }

  /// Binds the targets from the parameter `first` on; returns the next parameter.
  @inline(__always)
  func bind(
    _ row: Row, targets: [Target], to statement: SQLiteStatement, from first: Int32
  ) throws -> Int32 {
    var index = first
    // By position: copying a target would retain all its parts.
    try targets.withUnsafeBufferPointer { targets in
      for position in targets.indices {
        let slot = targets[position].slot
        if row.withPlainText(slot, body: { statement.bind(text: $0, at: index) }) != nil {
          index += 1
          continue
        }
        switch row[slot] {
        case .integer(let value): statement.bind(value, at: index)
        case .real(let value): statement.bind(value, at: index)
        case .text(let value): statement.bind(value, at: index)
        case .null:
          statement.bindNull(at: index)
          if targets[position].hasEntityColumn {
            index += 1
            statement.bindNull(at: index)
          }
        case let value: try bind(value, target: targets[position], to: statement, at: &index)
        }
        index += 1
      }
    }
    return index
  }

  private func bind(
    _ value: Value, target: Target, to statement: SQLiteStatement, at index: inout Int32
  ) throws {
    switch value {
    case .null, .integer, .real, .text: preconditionFailure("Bound already")
    case .data(let value): statement.bind(target.codec.marked(value), at: index)
    case .identity(let value): try bind(value, target: target, to: statement, at: &index)
    case .object(let value): try bind(value, target: target, to: statement, at: index)
    }
  }

  private func bind(
    _ identity: NSManagedObjectID, target: Target, to statement: SQLiteStatement,
    at index: inout Int32
  ) throws {
    guard !identity.isTemporaryID else {
      throw CoreDataError.make(
        .coreData,
        reason:
          "“\(target.codec.property.name)” of the entity “\(entity.layout.entity.name ?? "")” "
          + "leads to an object that was never saved; save it with this one.")
    }
    statement.bind(identity.packed.key, at: index)
    guard target.hasEntityColumn else { return }
    index += 1
    let number = mapping[identity.layout]?.entityNumber ?? identity.layout.number
    statement.bind(Int64(number), at: index)
  }

  private func bind(
    _ object: AnyObject, target: Target, to statement: SQLiteStatement, at index: Int32
  ) throws {
    switch (target.mapping.kind, object) {
    case (_, let external as ExternalData): statement.bind(external.reference, at: index)
    case (.decimal, let number as NSNumber): bind(decimal: number, to: statement, at: index)
    case (.uri, let url as NSURL): statement.bind(url.absoluteString, at: index)
    case (.uuid, let uuid as NSUUID):
      var bytes = (uuid as UUID).uuid
      statement.bind(withUnsafeBytes(of: &bytes) { Data($0) }, at: index)
    case (.transformable, let object):
      statement.bind(try target.codec.encoded(object), at: index)
    case (.data, let undecoded as UndecodedValue): statement.bind(undecoded.data, at: index)
    default:
      throw CoreDataError.make(
        .coreData,
        reason:
          "“\(target.codec.property.name)” of the entity “\(entity.layout.entity.name ?? "")” "
          + "cannot hold a \(type(of: object)).")
    }
  }

  private func bind(decimal number: NSNumber, to statement: SQLiteStatement, at index: Int32) {
    let decimal = number.decimalValue
    // SQLite turns a NaN into NULL; Apple's framework writes the text.
    if decimal.isNaN { return statement.bind("NaN", at: index) }
    let text = decimal.description
    if let integer = Int64(text) {
      statement.bind(integer, at: index)
    } else {
      // From the decimal's text: Foundation's doubleValue differs in the last bit for some numbers.
      statement.bind(Double(text) ?? number.doubleValue, at: index)
    }
  }
}

extension RowEncoder.Target {
  var columns: [String] {
    ([mapping.name] + (mapping.entityColumn.map { [$0] } ?? [])).map(SQLIdentifier.quoted)
  }
}
