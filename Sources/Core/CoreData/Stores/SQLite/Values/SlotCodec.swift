/// The conversions of one property's values between rows and columns, where they differ.
///
/// Immutable; shared by the connections of a store.
///
/// Sendable: nothing changes after `init`, and registered transformers may be used on any thread.
final class SlotCodec: @unchecked Sendable {
  let property: NSPropertyDescription
  let destination: EntityLayout?
  /// Whether the column's bytes begin with a mark that shows where the value is
  /// (``ExternalReference``).
  let isMarked: Bool
  private let files: ExternalFiles?
  private let transformer: TransformableCodec?

  init(_ slot: EntityLayout.Slot, files: ExternalFiles?) {
    property = slot.property
    let relationship = property as? NSRelationshipDescription
    destination = relationship?.destinationEntity?.layout
    let attribute = property as? NSAttributeDescription
    isMarked = attribute?.allowsExternalBinaryDataStorage ?? false
    self.files = files
    transformer = attribute.flatMap {
      $0.attributeType == .transformableAttributeType ? TransformableCodec($0) : nil
    }
  }

  // MARK: - Reading

  func url(_ text: String) -> Value { URL(string: text).map { .object($0 as NSURL) } ?? .null }

  func uuid(_ data: Data) -> Value {
    guard data.count == 16 else { return .null }
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: data) }
    return .object(UUID(uuid: uuid) as NSUUID)
  }

  func decoded(_ data: Data) -> Value {
    guard isMarked else { return decodedValue(data) }
    switch unmarked(data).loaded {
    case .data(let bytes): return decodedValue(bytes)
    case .object(let external as ExternalData): return unreadable(external.reference)
    case let value: return value
    }
  }

  private func decodedValue(_ data: Data) -> Value {
    transformer.map { .object($0.decode(data)) } ?? .null
  }

  /// The bytes, or an ``ExternalData`` for bytes in a file.
  func unmarked(_ data: Data) -> Value {
    switch data.first {
    case nil: return .data(Data())
    case ExternalReference.inlineMark: return .data(Data(data.dropFirst()))
    default:
      guard let files, let name = ExternalReference.name(in: data) else { return unreadable(data) }
      return .object(files.data(named: name))
    }
  }

  private func unreadable(_ data: Data) -> Value {
    .object(
      UndecodedValue(
        data: data,
        reason: "The external data of “\(property.name)” are not where the store says they are."))
  }

  // MARK: - Writing

  func marked(_ data: Data) -> Data {
    isMarked ? Data([ExternalReference.inlineMark]) + data : data
  }

  /// The column's bytes for a value. Throws if the transformer returns no data.
  func encoded(_ object: AnyObject) throws -> Data {
    if let undecoded = object as? UndecodedValue { return undecoded.data }
    return marked(try encodedBytes(object))
  }

  /// The bytes for a value, without a mark. Throws if the transformer returns no data.
  func encodedBytes(_ object: AnyObject) throws -> Data {
    guard let data = transformer?.encode(object) else {
      throw CoreDataError.make(
        .coreData,
        reason: "The value of “\(property.name)” could not be made into data: "
          + (transformer?.refusal(of: object) ?? "it has no transformer."))
    }
    return data
  }
}
