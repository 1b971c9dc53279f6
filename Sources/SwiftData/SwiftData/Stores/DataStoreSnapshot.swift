import Foundation

/// The types that a value of a snapshot can have.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The values of one model, in transfer between a context and a store.
///
/// A context reads a snapshot through its encoded form: the identifier under
/// `persistentIdentifier`, each property under its name. Attributes are encoded as their property's
/// type, relationships as identifiers. ``DataStoreSnapshotCodingKey`` has these keys.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoresnapshot
public protocol DataStoreSnapshot: Codable, Sendable {
  /// The identifier of the model.
  var persistentIdentifier: PersistentIdentifier { get }

  /// Creates a snapshot of a context's values and adds the backing data of related models to
  /// `relatedBackingDatas`.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// Returns a copy with another identifier, and with the identifiers of related models replaced.
  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// The coding keys of a snapshot.
///
/// Source: developer.apple.com/documentation/swiftdata/datastoresnapshotcodingkey
public enum DataStoreSnapshotCodingKey: CodingKey {
  /// The key of the identifier.
  case persistentIdentifier
  /// The key of a property with this name.
  case modeledProperty(String)

  private static let identifierName = "persistentIdentifier"
  /// The key of a property that is itself named `persistentIdentifier`. Names in Swift contain no
  /// period.
  private static let propertyOfThatName = "modeledProperty.persistentIdentifier"

  /// The key for a string; never nil.
  public init?(stringValue: String) {
    switch stringValue {
    case Self.identifierName: self = .persistentIdentifier
    case Self.propertyOfThatName: self = .modeledProperty(Self.identifierName)
    default: self = .modeledProperty(stringValue)
    }
  }

  /// The key as a string.
  public var stringValue: String {
    switch self {
    case .persistentIdentifier: Self.identifierName
    case .modeledProperty(Self.identifierName): Self.propertyOfThatName
    case .modeledProperty(let name): name
    }
  }

  /// Always nil: keys are strings.
  public init?(intValue: Int) { nil }
  /// Always nil: keys are strings.
  public var intValue: Int? { nil }
}
