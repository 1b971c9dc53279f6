import CoreData

/// Decodes one column of a result into the value of one slot.
///
/// A class, because all decoders of an entity are passed for each row. Sendable: constants only.
final class ValueDecoder: @unchecked Sendable {
  private let type: ColumnType
  private let column: Int
  private let entityColumn: Int?
  private let slot: EntityLayout.Slot
  private let codec: TransformableCodec?

  init(_ type: ColumnType, column: Int, entityColumn: Int?, slot: EntityLayout.Slot) {
    self.type = type
    self.column = column
    self.entityColumn = entityColumn
    self.slot = slot
    let attribute = slot.property as? NSAttributeDescription
    codec = type == .transformable ? attribute.map(TransformableCodec.init) : nil
  }

  /// Writes the value into an empty slot of a new row.
  func fill(
    _ index: Int, of row: Row, result: QueryResult, line: Int, decoder: RowDecoder
  ) {
    if result.isNull(line, column: column) { return }
    switch type {
    case .reference:
      if let target = target(result, line: line, decoder: decoder) {
        row.initialize(index, packed: target)
      }
    case .integer, .boolean:
      row.initialize(index, value: .integer(result.integer(line, column: column)))
    case .real: row.initialize(index, value: .real(result.real(line, column: column)))
    case .timestamp:
      row.initialize(index, value: .real(Timestamps.seconds(result.integer(line, column: column))))
    case .text: row.initialize(index, value: .text(result.text(line, column: column)))
    case .data: row.initialize(index, value: .data(result.data(line, column: column)))
    case .decimal, .uri, .uuid, .transformable:
      row.initialize(index, value: object(result, line: line))
    }
  }

  /// The value, without a row.
  func value(_ result: QueryResult, line: Int, decoder: RowDecoder) -> Value {
    if result.isNull(line, column: column) { return .null }
    switch type {
    case .reference:
      return target(result, line: line, decoder: decoder).map {
        .identity(decoder.identities.identity($0))
      }
        ?? .null
    case .integer, .boolean: return .integer(result.integer(line, column: column))
    case .real: return .real(result.real(line, column: column))
    case .timestamp: return .real(Timestamps.seconds(result.integer(line, column: column)))
    case .text: return .text(result.text(line, column: column))
    case .data: return .data(result.data(line, column: column))
    case .decimal, .uri, .uuid, .transformable: return object(result, line: line)
    }
  }

  private func object(_ result: QueryResult, line: Int) -> Value {
    switch type {
    case .decimal:
      let decimal = Decimal(string: result.text(line, column: column))
      return .object(decimal.map { NSDecimalNumber(decimal: $0) } ?? .notANumber)
    case .uri:
      return URL(string: result.text(line, column: column)).map { .object($0 as NSURL) } ?? .null
    case .uuid:
      var uuid = UUID().uuid
      let data = result.data(line, column: column)
      guard data.count == 16 else { return .null }
      withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: data) }
      return .object(UUID(uuid: uuid) as NSUUID)
    case .transformable:
      return codec.map { .object($0.decode(result.data(line, column: column))) } ?? .null
    default: return .null
    }
  }

  private func target(
    _ result: QueryResult, line: Int, decoder: RowDecoder
  ) -> PackedIdentity? {
    let relationship = slot.property as? NSRelationshipDescription
    guard var layout = relationship?.destinationEntity?.layout else { return nil }
    if let entityColumn,
      let kind = decoder.layout(number: result.integer(line, column: entityColumn))
    {
      layout = kind
    }
    return decoder.packed(result.integer(line, column: column), layout: layout)
  }
}
