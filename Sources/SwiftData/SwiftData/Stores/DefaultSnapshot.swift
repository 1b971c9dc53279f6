import Foundation

/// Default snapshot, for any model: the value of each property, relationships as identifiers.
///
/// Sendable: a constant dictionary of immutable values, which are all that models store.
///
/// Source: developer.apple.com/documentation/swiftdata/defaultsnapshot
public struct DefaultSnapshot: DataStoreSnapshot, @unchecked Sendable {
  /// The identifier of the model.
  public let persistentIdentifier: PersistentIdentifier
  /// The values that are not nil, by property name: a ``PersistentIdentifier`` or an array of them
  /// for a relationship, the transformer's output for a transformable attribute.
  let values: [String: any Codable]

  init(_ identifier: PersistentIdentifier, values: [String: any Codable]) {
    persistentIdentifier = identifier
    self.values = values
  }

  /// Creates a snapshot of a context's values and adds the backing data of related models to
  /// `relatedBackingDatas`.
  public init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    let source = SnapshotSource(backingData)
    var values: [String: any Codable] = [:]
    for property in source.modelType.properties where property.isKept {
      if property.isRelationship {
        let related = source.related(property)
        for (identifier, data) in related { relatedBackingDatas[identifier] = data }
        let identifiers = related.map(\.identifier)
        if property.kind == .toMany {
          values[property.name] = identifiers
        } else if let identifier = identifiers.first {
          values[property.name] = identifier
        }
      } else if let value = source.attribute(property) {
        values[property.name] = property.snapshotValue(value)
      }
    }
    self.init(source.identifier, values: values)
  }

  /// Returns a copy with another identifier, and with the identifiers of related models replaced.
  public func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = [:]
  ) -> DefaultSnapshot {
    guard let remapped = remappedIdentifiers, !remapped.isEmpty else {
      return DefaultSnapshot(persistentIdentifier, values: values)
    }
    return DefaultSnapshot(
      persistentIdentifier,
      values: values.mapValues { value in
        switch value {
        case let identifier as PersistentIdentifier: remapped[identifier] ?? identifier
        case let identifiers as [PersistentIdentifier]: identifiers.map { remapped[$0] ?? $0 }
        default: value
        }
      })
  }

  /// The destinations of a relationship.
  func related(_ name: String) -> [PersistentIdentifier] {
    switch values[name] {
    case let identifier as PersistentIdentifier: [identifier]
    case let identifiers as [PersistentIdentifier]: identifiers
    default: []
    }
  }
}

// MARK: - Coding

extension DefaultSnapshot {
  private typealias Key = DataStoreSnapshotCodingKey

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    for (name, value) in values { try container.encode(value, forKey: .modeledProperty(name)) }
  }

  /// Decodes a snapshot. The property types come from the model that the identifier names: in the
  /// container that has the identifier's store open, else in the most recently opened container
  /// that has such a model. Throws a `DecodingError` if no container has one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let identifier = try container.decode(
      PersistentIdentifier.self, forKey: .persistentIdentifier)
    let schema = decoder.userInfo[.snapshotSchema] as? Schema
    let known =
      schema?.entitiesByName[identifier.entityName]?.modelType
      ?? KnownSchemas.modelType(of: identifier)
    guard let known else {
      throw DecodingError.dataCorruptedError(
        forKey: .persistentIdentifier, in: container,
        debugDescription:
          "The snapshot is of a model “\(identifier.entityName)”, which no open container has: open a container with "
          + "that class before snapshots are decoded")
    }
    var values: [String: any Codable] = [:]
    for property in known.properties where property.isKept {
      values[property.name] = try Self.value(
        property.snapshotType, of: property.name, container: container)
    }
    self.init(identifier, values: values)
  }

  private static func value<Value: Codable>(
    _ type: Value.Type, of name: String, container: KeyedDecodingContainer<Key>
  ) throws -> (any Codable)? {
    try container.decodeIfPresent(type, forKey: .modeledProperty(name))
  }
}

extension CodingUserInfoKey {
  /// The schema that snapshots are decoded with.
  static let snapshotSchema = CodingUserInfoKey(rawValue: "SwiftData.snapshotSchema")!
}
