/// The columns that are read to make rows of an entity, and of its subentities if they are
/// included.
///
///     column   0      Z_PK
///              1      Z_OPT
///              2 …    Z_ENT, unless all rows are of one entity; then the columns of all slots,
///                     each once
///
/// Immutable; made once per entity and kept.
///
/// Sendable: nothing changes after `init`.
final class RowSelection: @unchecked Sendable {
  /// The decoders for the rows of one entity.
  ///
  /// Sendable: nothing changes after `init`; `format` points to a format that is never freed.
  final class Kind: @unchecked Sendable {
    let layout: EntityLayout
    let format: UnsafePointer<RowFormat>
    let isInTree: Bool
    let decoders: [SlotDecoder]
    /// Whether triggers of the store change values without raising the row's version.
    let hasDerivedValues: Bool

    init(layout: EntityLayout, decoders: [SlotDecoder], hasDerivedValues: Bool) {
      self.layout = layout
      format = layout.format
      isInTree = layout.isInTree
      self.decoders = decoders
      self.hasDerivedValues = hasDerivedValues
    }
  }

  static let keyColumn: Int32 = 0
  static let versionColumn: Int32 = 1
  static let entityColumn: Int32 = 2

  let table: String
  /// The text from `SELECT` to `FROM`, with the table's alias `t0`.
  let sql: String
  /// Selects one row by its key.
  let sqlByKey: SQLText
  /// Selects the rows from a key to ``keyReach`` keys further, in the order of their keys.
  let sqlFromKey: SQLText
  static let keyReach: Int64 = 15
  /// Selects several rows by their keys: one text for each multiple of ``pageStep`` up to
  /// ``pageSize``. The keys are a joined table, whose rows SQLite makes as it goes. For `IN` it
  /// would first fill and sort a temporary table, a fifth of the time of a page of 20.
  private let sqlByKeys: [SQLText]
  static let pageSize = 32
  static let pageStep = 4
  /// The decoders for all rows, if all are of one entity; else nil.
  let onlyKind: Kind?
  /// The decoders by `Z_ENT`.
  let kinds: [Int: Kind]
  /// The number of the root entity of the rows' tree.
  let rootNumber: Int

  /// - Parameter slots: the slots to read; nil for all.
  init(
    _ entity: EntityMapping, includesSubentities: Bool, slots: [Int]? = nil, mapping: SQLMapping,
    codec: (EntityLayout.Slot) -> SlotCodec
  ) {
    let members =
      includesSubentities
      ? mapping.allEntities.filter { entity.kindNumbers.contains($0.entityNumber) } : [entity]
    var columns = SelectedColumns(startingAt: members.count == 1 ? 2 : 3)
    let kinds = members.map { member in
      (member.entityNumber, Self.kind(member, slots: slots, columns: &columns, codec: codec))
    }
    self.table = entity.table
    rootNumber = entity.layout.rootNumber
    self.kinds = Dictionary(kinds, uniquingKeysWith: { first, _ in first })
    onlyKind = members.count == 1 ? kinds.first?.1 : nil
    let entityColumn = onlyKind == nil ? ", t0.Z_ENT" : ""
    let list = columns.names.map { ", t0.\(SQLIdentifier.quoted($0))" }.joined()
    let head = "SELECT t0.Z_PK, t0.Z_OPT\(entityColumn)\(list) FROM"
    let table = SQLIdentifier.quoted(entity.table) + " t0"
    sql = "\(head) \(table)"
    let condition = entity.kindCondition(includesSubentities: includesSubentities)
    let rest = condition.map { " AND \($0)" } ?? ""
    sqlByKey = SQLText("\(sql) WHERE t0.Z_PK = ?\(rest)")
    // Without this hint SQLite could use an index on the entity and sort by key.
    sqlFromKey = SQLText(
      "\(sql) NOT INDEXED WHERE t0.Z_PK >= ?1 AND t0.Z_PK <= ?1 + \(Self.keyReach)\(rest) "
        + "ORDER BY t0.Z_PK")
    sqlByKeys = stride(from: Self.pageStep, through: Self.pageSize, by: Self.pageStep).map {
      let keys = Array(repeating: "(?)", count: $0).joined(separator: ", ")
      return SQLText(
        "\(head) (VALUES \(keys)) keys CROSS JOIN \(table) ON t0.Z_PK = keys.column1\(rest)")
    }
  }

  /// The text that selects up to `count` rows by their keys, and its number of parameters; unused
  /// ones are bound to NULL.
  func sqlByKeys(_ count: Int) -> (sql: SQLText, size: Int) {
    if count <= 1 { return (sqlByKey, 1) }
    let steps = (min(count, Self.pageSize) + Self.pageStep - 1) / Self.pageStep
    return (sqlByKeys[steps - 1], steps * Self.pageStep)
  }

  private static func kind(
    _ entity: EntityMapping, slots: [Int]?, columns: inout SelectedColumns,
    codec: (EntityLayout.Slot) -> SlotCodec
  ) -> Kind {
    var decoders: [SlotDecoder] = []
    for (index, (slot, mapping)) in zip(entity.layout.slots, entity.columns).enumerated() {
      guard let mapping, slots?.contains(index) != false else {
        decoders.append(.missing)
        continue
      }
      let column = columns.index(of: mapping.name)
      let entityColumn = mapping.entityColumn.map { columns.index(of: $0) }
      decoders.append(
        SlotDecoder(mapping, column: column, entityColumn: entityColumn, codec: codec(slot)))
    }
    return Kind(
      layout: entity.layout, decoders: decoders,
      hasDerivedValues: entity.columns.contains { $0?.isDerived ?? false })
  }
}

private struct SelectedColumns {
  private let first: Int32
  private(set) var names: [String] = []
  private var indexes: [String: Int32] = [:]

  /// - Parameter first: the number of columns before these.
  init(startingAt first: Int32) { self.first = first }

  mutating func index(of name: String) -> Int32 {
    if let index = indexes[name] { return index }
    let index = first + Int32(names.count)
    names.append(name)
    indexes[name] = index
    return index
  }
}
