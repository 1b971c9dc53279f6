/// What it takes to read and write one property's values, beyond the plain ones.
///
///     external storage   0x01 + the bytes themselves
///                        0x02 + 36 characters of a UUID + 0x00: the bytes are in the file
///                        .<store>_SUPPORT/_EXTERNAL_DATA/<UUID> beside the store
///
/// Immutable; shared by the connections of a store.
final class SlotCodec: @unchecked Sendable {
  // Sendable: nothing changes, and a transformer is registered for any thread to use.
  let property: NSPropertyDescription
  let destination: EntityLayout?
  /// Whether the bytes begin with a mark that says where they are.
  let isMarked: Bool
  private let externalFolder: URL?
  private let transformer: TransformableCodec?

  init(_ slot: EntityLayout.Slot, externalFolder: URL?) {
    property = slot.property
    let relationship = property as? NSRelationshipDescription
    destination = relationship?.destinationEntity?.layout
    let attribute = property as? NSAttributeDescription
    isMarked = attribute?.allowsExternalBinaryDataStorage ?? false
    self.externalFolder = externalFolder
    transformer = attribute.flatMap {
      $0.attributeType == .transformableAttributeType ? TransformableCodec($0) : nil
    }
  }

  // MARK: - Reading

  func url(_ text: String) -> Value { NSURL(string: text).map(Value.object) ?? .null }

  func uuid(_ data: Data) -> Value {
    guard data.count == 16 else { return .null }
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: data) }
    return .object(UUID(uuid: uuid) as NSUUID)
  }

  func decoded(_ data: Data) -> Value {
    guard isMarked else { return decodedValue(data) }
    guard let bytes = unmarkedBytes(data) else { return unreadable(data) }
    return decodedValue(bytes)
  }

  private func decodedValue(_ data: Data) -> Value {
    transformer.map { .object($0.decode(data)) } ?? .null
  }

  func unmarked(_ data: Data) -> Value {
    guard let bytes = unmarkedBytes(data) else { return unreadable(data) }
    return .data(bytes)
  }

  private func unreadable(_ data: Data) -> Value {
    .object(
      UndecodedValue(
        data: data,
        reason: "The external data of “\(property.name)” are not where the store says they are."))
  }

  private func unmarkedBytes(_ data: Data) -> Data? {
    switch data.first {
    case nil: return Data()
    case 1: return Data(data.dropFirst())
    case 2: return externalData(named: data.dropFirst().prefix { $0 != 0 })
    default: return nil
    }
  }

  private func externalData(named name: Data) -> Data? {
    // Only a UUID is a name: anything else in the file could lead out of the folder.
    guard let text = String(data: name, encoding: .utf8), UUID(uuidString: text) != nil,
      let url = externalFolder?.appendingPathComponent(text)
    else { return nil }
    // A missing file is reported by the caller, with the property.
    return try? Data(contentsOf: url)
  }

  // MARK: - Writing

  func marked(_ data: Data) -> Data { isMarked ? Data([1]) + data : data }

  /// Throws when the transformer gives no data.
  func encoded(_ object: AnyObject) throws -> Data {
    if let undecoded = object as? UndecodedValue { return undecoded.data }
    guard let data = transformer?.encode(object) else {
      throw CoreDataError.make(
        .coreData,
        reason: "The value of “\(property.name)” could not be made into data: its transformer "
          + "(\(transformer?.name ?? "none")) does not take a \(type(of: object)).")
    }
    return marked(data)
  }
}
