import CoreData
import Foundation

/// Identifier of a model in every context and across runs: its store, its entity and its primary
/// key.
///
/// The encoded form is Apple's:
///
///     {"implementation":{"primaryKey":"p1","uriRepresentation":"x-coredata://…",
///     "isTemporary":false,"storeIdentifier":"…","entityName":"…"}}
///
/// A decoded identifier equals the one that the store returns.
///
/// Source: developer.apple.com/documentation/swiftdata/persistentidentifier
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  /// Identity of the identifier, with the same distinctions as the identifier itself.
  public struct ID: Hashable, Sendable {
    fileprivate let uri: String
  }

  let implementation: Implementation

  struct Implementation: Hashable, Codable, Sendable {
    let primaryKey: String
    private let family: Family

    var storeIdentifier: String? { family.storeIdentifier }
    var entityName: String { family.entityName }
    var isTemporary: Bool { storeIdentifier == nil }

    var uriRepresentation: URL {
      NSManagedObjectID.uri(storeIdentifier ?? "", entityName: entityName, reference: primaryKey)
    }

    init(primaryKey: String, storeIdentifier: String?, entityName: String) {
      self.init(
        primaryKey: primaryKey,
        family: Family(storeIdentifier: storeIdentifier, entityName: entityName))
    }

    init(primaryKey: String, family: Family) {
      self.primaryKey = primaryKey
      self.family = family
    }

    private enum CodingKeys: CodingKey {
      case primaryKey, uriRepresentation, isTemporary, storeIdentifier, entityName
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        primaryKey: try container.decode(String.self, forKey: .primaryKey),
        storeIdentifier: try container.decodeIfPresent(String.self, forKey: .storeIdentifier),
        entityName: try container.decode(String.self, forKey: .entityName))
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(primaryKey, forKey: .primaryKey)
      try container.encode(uriRepresentation, forKey: .uriRepresentation)
      try container.encode(isTemporary, forKey: .isTemporary)
      try container.encodeIfPresent(storeIdentifier, forKey: .storeIdentifier)
      try container.encode(entityName, forKey: .entityName)
    }

    static func == (left: Self, right: Self) -> Bool {
      if left.primaryKey != right.primaryKey { return false }
      return left.family === right.family
        || left.entityName == right.entityName && left.storeIdentifier == right.storeIdentifier
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(primaryKey)
      hasher.combine(entityName)
    }
  }

  /// Parts shared by the identifiers of one entity in one store. Identifiers that are made together
  /// share one instance.
  final class Family: Sendable {
    let storeIdentifier: String?
    let entityName: String

    init(storeIdentifier: String?, entityName: String) {
      self.storeIdentifier = storeIdentifier
      self.entityName = entityName
    }
  }

  init(_ implementation: Implementation) { self.implementation = implementation }

  init(_ id: NSManagedObjectID) {
    if let store = id.persistentStore as? SnapshotStore,
      let known = store.identifiers.identifier(of: id)
    {
      self = known
      return
    }
    let (store, key) = id.addressParts
    self.init(
      Implementation(
        primaryKey: key, storeIdentifier: store, entityName: id.entity.name ?? ""))
  }

  /// Makes a temporary identifier for a detached model.
  static func detached(_ entityName: String) -> PersistentIdentifier {
    PersistentIdentifier(
      Implementation(
        primaryKey: "t\(UUID().uuidString)", storeIdentifier: nil, entityName: entityName))
  }

  /// The identity, from the identifier's URI.
  public var id: ID { ID(uri: implementation.uriRepresentation.absoluteString) }

  /// The entity's name: that of the model's class.
  public var entityName: String { implementation.entityName }

  /// The identifier of the store, a UUID for a built-in one; nil until the model has been saved.
  public var storeIdentifier: String? { implementation.storeIdentifier }

  var isTemporary: Bool { implementation.isTemporary }

  var uri: URL { implementation.uriRepresentation }

  private enum CodingKeys: CodingKey { case implementation }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    implementation = try container.decode(Implementation.self, forKey: .implementation)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(implementation, forKey: .implementation)
  }

  public static func == (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
    left.implementation == right.implementation
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(implementation) }

  /// Orders by store, entity and primary key, keys by their numbers; unsaved models come first.
  /// Fetches sort in this order too.
  public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
    left.order < right.order
  }

  private var order: IdentityOrder {
    IdentityOrder(
      store: storeIdentifier, entity: entityName, reference: implementation.primaryKey)
  }

  /// Makes an identifier for a custom store (``DataStore``). Characters of the key's description
  /// that a URL path cannot have are percent-encoded.
  public static func identifier<T>(
    for storeIdentifier: String, entityName: String, primaryKey: T
  ) throws -> PersistentIdentifier
  where T: Comparable, T: CustomStringConvertible, T: Codable, T: Hashable {
    PersistentIdentifier(
      Implementation(
        primaryKey: primaryKey.description.addingPercentEncoding(
          withAllowedCharacters: .urlPathAllowed)
          ?? primaryKey.description, storeIdentifier: storeIdentifier,
        entityName: entityName))
  }

  public var debugDescription: String { "PersistentIdentifier(\(uri.absoluteString))" }
}

extension PersistentIdentifier: CustomDebugStringConvertible {}
