import Foundation

/// What a snapshot may have as a value.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The values of one model, on their way from a context to a store or back.
///
/// The coding is how a context reads it: with the identifier under `persistentIdentifier` and each property under its
/// name, attributes as the property's type codes itself, relationships as identifiers.
/// ``DataStoreSnapshotCodingKey`` has these keys.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoresnapshot
public protocol DataStoreSnapshot: Codable, Sendable {
  var persistentIdentifier: PersistentIdentifier { get }

  /// The values as a context has them. What the model is related to is added to the related backing data.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// The same values under another identifier, with those of related models replaced.
  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// The keys by which a snapshot is coded.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoresnapshotcodingkey
public enum DataStoreSnapshotCodingKey: CodingKey {
  case persistentIdentifier
  case modeledProperty(String)

  private static let identifierName = "persistentIdentifier"
  /// Of a model that calls a property so. No name in Swift has a point.
  private static let propertyOfThatName = "modeledProperty.persistentIdentifier"

  public init?(stringValue: String) {
    switch stringValue {
    case Self.identifierName: self = .persistentIdentifier
    case Self.propertyOfThatName: self = .modeledProperty(Self.identifierName)
    default: self = .modeledProperty(stringValue)
    }
  }

  public var stringValue: String {
    switch self {
    case .persistentIdentifier: Self.identifierName
    case .modeledProperty(Self.identifierName): Self.propertyOfThatName
    case .modeledProperty(let name): name
    }
  }

  public init?(intValue: Int) { nil }
  public var intValue: Int? { nil }
}
