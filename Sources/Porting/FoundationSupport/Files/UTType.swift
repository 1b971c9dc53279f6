import Foundation

// On Apple's systems this is in the module UniformTypeIdentifiers.

/// The type of a file's contents, by its identifier.
///
/// Here the common types are declared; an application declares none, so that what it exports or
/// imports is known by its identifier alone.
///
/// Source: developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct
public struct UTType: Hashable, Sendable, CustomStringConvertible {
  /// The identifier, as `public.json`.
  public let identifier: String
  private var parents: [String]
  private var ownExtension: String?
  private var ownMediaType: String?

  private init(identifier: String, parents: [String]) {
    self.identifier = identifier
    self.parents = parents
  }

  /// A type of the table of declared ones.
  init(declared identifier: String) {
    self.init(identifier: identifier, parents: Self.declared[identifier]?.supertypes ?? [])
  }

  /// The declared type with an identifier; nil if there is none.
  public init?(_ identifier: String) {
    guard let declared = Self.declared[identifier] else { return nil }
    self.init(identifier: identifier, parents: declared.supertypes)
  }

  /// The type of files with an extension: the declared one, or a dynamic one.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    let wanted = filenameExtension.lowercased()
    guard !wanted.isEmpty else { return nil }
    self =
      Self.found(conformingTo: supertype) { $0.extensions.firstIndex(of: wanted) }
      ?? Self.dynamic(wanted, supertype)
    if isDynamic { ownExtension = wanted }
  }

  /// The type of a media type, as `image/png`: the declared one, or a dynamic one.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    let wanted = mimeType.lowercased()
    guard !wanted.isEmpty else { return nil }
    self =
      Self.found(conformingTo: supertype) { $0.mediaTypes.firstIndex(of: wanted) }
      ?? Self.dynamic(wanted, supertype)
    if isDynamic { ownMediaType = wanted }
  }

  /// A type that the application declares and owns.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(identifier: identifier, parents: [(parentType ?? .data).identifier])
  }

  /// A type that the application declares and another owns.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(exportedAs: identifier, conformingTo: parentType)
  }

  private static func dynamic(_ text: String, _ supertype: UTType) -> UTType {
    UTType(identifier: "dyn.\(text)", parents: [supertype.identifier])
  }

  /// The declared type that has a tag at the first place, among equals the first by identifier.
  private static func found(
    conformingTo supertype: UTType, place: (Declared) -> Int?
  ) -> UTType? {
    declared.compactMap { identifier, declared in
      place(declared).flatMap { place in UTType(identifier).map { (place, $0) } }
    }
    .filter { $0.1.conforms(to: supertype) || supertype == .data }
    .min { ($0.0, $0.1.identifier) < ($1.0, $1.1.identifier) }?.1
  }

  // MARK: - What it is

  /// The extension that its files should have.
  public var preferredFilenameExtension: String? {
    ownExtension ?? Self.declared[identifier]?.extensions.first
  }

  /// Its media type, as `image/png`.
  public var preferredMIMEType: String? {
    ownMediaType ?? Self.declared[identifier]?.mediaTypes.first
  }

  /// Whether it was made of an extension or a media type that no type declares.
  public var isDynamic: Bool { identifier.hasPrefix("dyn.") }

  /// Whether the system or an application declares it.
  public var isDeclared: Bool { !isDynamic }

  /// Whether anybody may use it.
  public var isPublic: Bool { identifier.hasPrefix("public.") }

  /// A description in the user's language; nil here.
  public var localizedDescription: String? { nil }

  /// The identifier.
  public var description: String { identifier }

  // MARK: - Types among each other

  /// All types that it conforms to.
  public var supertypes: Set<UTType> {
    var found: Set<UTType> = []
    var rest = parents
    while let parent = rest.popLast().flatMap({ UTType($0) }) {
      if found.insert(parent).inserted { rest += parent.parents }
    }
    return found
  }

  /// Whether it is the other type or a subtype of it.
  public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

  /// Whether it conforms to the other type and is not that.
  public func isSubtype(of type: UTType) -> Bool {
    self != type && supertypes.contains(type)
  }

  /// Whether the other type conforms to it and is not it.
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

  public static func == (one: UTType, other: UTType) -> Bool {
    one.identifier == other.identifier
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension UTType: Codable {
  /// Decodes the identifier.
  public init(from decoder: any Decoder) throws {
    let identifier = try decoder.singleValueContainer().decode(String.self)
    self = UTType(identifier) ?? UTType(exportedAs: identifier)
  }

  /// Encodes the identifier.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}

extension URL {
  /// The address with the preferred extension of a type.
  public func appendingPathExtension(for contentType: UTType) -> URL {
    contentType.preferredFilenameExtension.map { appendingPathExtension($0) } ?? self
  }

  /// Appends the preferred extension of a type.
  public mutating func appendPathExtension(for contentType: UTType) {
    self = appendingPathExtension(for: contentType)
  }
}
