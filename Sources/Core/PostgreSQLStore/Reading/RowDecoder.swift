import CoreData

/// Makes rows from results with the columns of a ``RowSelection``. Used by one thread.
struct RowDecoder {
  let identities: IdentitySpace
  let schema: StoreSchema
  let selection: RowSelection

  /// The rows, sealed and published. Reuses a cached row of the same version.
  func rows(_ result: QueryResult) throws -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(result.count)
    // Consecutive rows mostly have the same entity.
    var last: (number: Int64, kind: RowSelection.Kind)?
    for line in 0..<result.count {
      let number = result.integer(line, column: RowSelection.entityColumn)
      if last?.number != number { last = (number, try kind(number)) }
      guard let last else { continue }
      rows.append(try row(result, line: line, kind: last.kind))
    }
    identities.publish(rows[...], source: .read)
    return rows
  }

  private func kind(_ number: Int64) throws -> RowSelection.Kind {
    if let kind = selection.kinds[Int(number)] { return kind }
    throw damaged("is of the entity number \(number), which the model lacks")
  }

  private func row(
    _ result: QueryResult, line: Int, kind: RowSelection.Kind
  ) throws -> Row {
    let key = result.integer(line, column: RowSelection.keyColumn)
    guard let packed = packed(key, layout: kind.layout) else {
      throw damaged("has the key \(key), which is none; keys are from 1 to 2^40")
    }
    let version = result.integer(line, column: RowSelection.versionColumn)
    if !kind.hasDerivedValues, let cached = identities.cachedRow(kind.layout, packed: packed),
      cached.version == version
    {
      return cached
    }
    let row = Row.make(kind.layout, packed: packed, in: identities, version: version)
    for (slot, decoder) in kind.decoders.enumerated() {
      decoder?.fill(slot, of: row, result: result, line: line, decoder: self)
    }
    row.seal()
    return row
  }

  func layout(number: Int64) -> EntityLayout? { schema.mapping.layout(entityNumber: number) }

  /// The identity; nil for an invalid key.
  func packed(_ key: Int64, layout: EntityLayout) -> PackedIdentity? {
    key > 0 && key < 1 << 40 ? identities.packed(layout, key: key) : nil
  }

  private func damaged(_ what: String) -> NSError {
    CoreDataError.make(
      .fileReadCorruptFile, reason: "The store is damaged: a row of \(selection.table) \(what).")
  }
}
