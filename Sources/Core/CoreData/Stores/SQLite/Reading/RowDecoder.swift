/// Makes rows of the rows that a statement steps over.
///
/// The statement's columns are those of a ``RowSelection``. Used by one thread for one fetch.
final class RowDecoder {
  let mapping: SQLMapping
  let identities: IdentitySpace
  private let storeOrdinal: Int
  let selection: RowSelection
  private let sharesRows = RowDecoder.mayShareRows
  /// Whether rows may be shared: not those of a query generation, which only the reading context
  /// may see.
  private static var mayShareRows: Bool {
    !QueryGeneration.isAnyAlive || QueryGeneration.current == nil
  }
  /// Whether a decoder made now would share rows as this one does.
  var isOfThisRead: Bool { sharesRows == Self.mayShareRows }
  /// The store's entity number that was looked up last, and the model's number for it, zero if
  /// there is none. Neighbouring rows often reference the same entity.
  private var lastKind: (stored: Int64, number: Int) = (0, 0)

  init(mapping: SQLMapping, identities: IdentitySpace, selection: RowSelection) {
    self.mapping = mapping
    self.identities = identities
    storeOrdinal = identities.storeOrdinal
    self.selection = selection
  }

  /// The identity that a column references; nil for an invalid key or entity number.
  @inline(__always)
  func target(_ key: Int64, entityNumber: Int) -> PackedIdentity? {
    guard key > 0, key < 1 << 40, entityNumber > 0 else { return nil }
    return PackedIdentity(storeOrdinal: storeOrdinal, entityNumber: entityNumber, key: key)
  }

  /// The model's number for an entity number of the store; `other` if the model has none.
  func entityNumber(_ stored: Int64, else other: Int) -> Int {
    if lastKind.stored != stored {
      lastKind = (stored, mapping.layout(entityNumber: stored)?.number ?? 0)
    }
    return lastKind.number == 0 ? other : lastKind.number
  }

  /// All remaining rows, sealed and published.
  func rows(_ statement: SQLiteStatement) throws -> [Row] {
    var rows: [Row] = []
    try appendRows(statement, to: &rows)
    share(rows[...])
    return rows
  }

  /// Appends all remaining rows, sealed, to be published with ``share(_:)``. An already shared row
  /// of the same version takes the place of a new one.
  func appendRows(_ statement: SQLiteStatement, to rows: inout [Row]) throws {
    if let kind = selection.onlyKind {
      try kind.decoders.withUnsafeBufferPointer { decoders in
        while try statement.step() {
          rows.append(try row(statement, kind: kind, decoders: decoders))
        }
      }
    } else {
      while try statement.step() {
        let kind = try kind(statement)
        rows.append(
          try kind.decoders.withUnsafeBufferPointer { try row(statement, kind: kind, decoders: $0) }
        )
      }
    }
  }

  /// The next row, sealed and shared; nil at the end.
  func row(_ statement: SQLiteStatement) throws -> Row? {
    guard try statement.step() else { return nil }
    let kind = try kind(statement)
    let next = try kind.decoders.withUnsafeBufferPointer {
      try row(statement, kind: kind, decoders: $0)
    }
    if sharesRows { next.share(.read) }
    return next
  }

  /// Publishes rows together, so that the table of rows grows only once.
  func share(_ rows: ArraySlice<Row>) {
    if sharesRows { identities.publish(rows, source: .read, rootNumber: selection.rootNumber) }
  }

  @inline(__always)
  private func row(
    _ statement: SQLiteStatement, kind: RowSelection.Kind,
    decoders: UnsafeBufferPointer<SlotDecoder>
  ) throws -> Row {
    let key = statement.integer(RowSelection.keyColumn)
    guard key > 0 && key < 1 << 40 else { throw StoreDamage.key(key, selection.table) }
    let version = statement.integer(RowSelection.versionColumn)
    let format = kind.isInTree ? try layout(key, kind: kind).format : kind.format
    let packed = PackedIdentity(
      storeOrdinal: storeOrdinal, entityNumber: format.pointee.entityNumber, key: key)
    if !kind.hasDerivedValues,
      let cached = identities.cachedRow(rootNumber: format.pointee.rootNumber, packed),
      cached.version == version
    {
      return cached
    }
    let row = makeRow(format, packed: packed, version: version)
    for slot in 0..<format.pointee.count {
      decoders[slot].fill(slot, of: row, statement: statement, reader: self)
    }
    row.seal()
    return row
  }

  @inline(__always)
  private func makeRow(
    _ format: UnsafePointer<RowFormat>, packed: PackedIdentity, version: Int64
  ) -> Row {
    if sharesRows {
      return Row.make(format, packed: packed, in: .passUnretained(identities), version: version)
    }
    let layout = format.pointee.layout.takeUnretainedValue()
    return Row.make(layout, packed: packed, in: identities, version: version)
  }

  /// The layout of a key's row in a class tree. An object ID from a wrong URI may name another
  /// entity: slots of an ancestor are the first in the row, so that its layout fits; any other
  /// entity throws ``StoreDamage``.
  private func layout(_ key: Int64, kind: RowSelection.Kind) throws -> EntityLayout {
    guard let known = identities.knownIdentity(kind.layout, key: key)?.layout,
      known !== kind.layout
    else { return kind.layout }
    guard kind.layout.entity.isKindOf(entity: known.entity) else {
      throw StoreDamage.identity(known.number, selection.table)
    }
    return known
  }

  @inline(__always)
  func kind(_ statement: SQLiteStatement) throws -> RowSelection.Kind {
    if let only = selection.onlyKind { return only }
    let number = statement.integer(RowSelection.entityColumn)
    guard let kind = selection.kinds[Int(number)] else {
      throw StoreDamage.entity(number, selection.table)
    }
    return kind
  }
}

/// An impossible value in a row of the file.
enum StoreDamage: Error {
  case key(Int64, String)
  case entity(Int64, String)
  case identity(Int, String)

  func cocoaError(url: URL?) -> NSError {
    let text =
      switch self {
      case .key(let key, let table):
        "a row of \(table) has the key \(key), which is none; keys are from 1 to 2^40"
      case .entity(let number, let table):
        "a row of \(table) is of the entity number \(number), which the model or Z_PRIMARYKEY lacks"
      case .identity(let number, let table):
        "a row of \(table) is known under an object ID of the entity number \(number), of which it is not"
      }
    let path = url?.path ?? "in memory"
    return CoreDataError.make(
      .fileReadCorruptFile, reason: "The store at \(path) is damaged: \(text).",
      userInfo: url.map { [NSFilePathErrorKey: $0.path] } ?? [:])
  }
}
