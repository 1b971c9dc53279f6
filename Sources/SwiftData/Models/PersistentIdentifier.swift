import CoreData
import Foundation

/// What a model is known by, in every context and between runs: its store, its entity and its key.
///
/// Coded as Apple's is: `{"implementation":{"primaryKey":"p1","uriRepresentation":"x-coredata://…",
/// "isTemporary":false,"storeIdentifier":"…","entityName":"…"}}`. One that was decoded equals the one that the
/// store gives.
///
/// Source: developer.apple.com/documentation/swiftdata/persistentidentifier
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  /// As strong as the identifier itself.
  public struct ID: Hashable, Sendable {
    fileprivate let uri: String
  }

  let implementation: Implementation

  struct Implementation: Hashable, Codable, Sendable {
    let primaryKey: String
    let uriRepresentation: URL
    let isTemporary: Bool
    let storeIdentifier: String?
    let entityName: String

    init(primaryKey: String, storeIdentifier: String?, entityName: String) {
      self.primaryKey = primaryKey
      self.storeIdentifier = storeIdentifier
      self.entityName = entityName
      isTemporary = storeIdentifier == nil
      uriRepresentation = NSManagedObjectID.uri(storeIdentifier ?? "", entityName, primaryKey)
    }

    static func == (left: Self, right: Self) -> Bool {
      left.primaryKey == right.primaryKey && left.entityName == right.entityName
        && left.storeIdentifier == right.storeIdentifier
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(primaryKey)
      hasher.combine(entityName)
    }
  }

  init(_ implementation: Implementation) { self.implementation = implementation }

  init(_ id: NSManagedObjectID) {
    let uri = id.uriRepresentation()
    self.init(
      Implementation(
        primaryKey: uri.lastPathComponent,
        storeIdentifier: id.isTemporaryID ? nil : uri.host(percentEncoded: false),
        entityName: id.entity.name ?? ""))
  }

  /// Of a model that no context has.
  static func detached(_ entityName: String) -> PersistentIdentifier {
    PersistentIdentifier(
      Implementation(
        primaryKey: "t\(UUID().uuidString)", storeIdentifier: nil, entityName: entityName))
  }

  public var id: ID { ID(uri: implementation.uriRepresentation.absoluteString) }

  /// The name of the model's class.
  public var entityName: String { implementation.entityName }

  /// The store's UUID; nil until the model has been saved.
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

  /// By store, entity and key; keys by their numbers.
  public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
    left.order < right.order
  }

  private var order: (String, String, Int, String) {
    (
      storeIdentifier ?? "", entityName, Int(implementation.primaryKey.dropFirst()) ?? 0,
      implementation.primaryKey
    )
  }

  /// An identifier of a custom store's own: ``DataStore``.
  public static func identifier<T>(
    for storeIdentifier: String, entityName: String, primaryKey: T
  ) throws -> PersistentIdentifier
  where T: Comparable, T: CustomStringConvertible, T: Codable, T: Hashable {
    PersistentIdentifier(
      Implementation(
        primaryKey: primaryKey.description, storeIdentifier: storeIdentifier,
        entityName: entityName))
  }

  public var debugDescription: String { "PersistentIdentifier(\(uri.absoluteString))" }
}

extension PersistentIdentifier: CustomDebugStringConvertible {}
