import Foundation

/// Uniqueness constraints without the generic type of the class.
protocol UniquenessMetadata {
  var keyPaths: [[AnyKeyPath]] { get }
}

/// Indexes without the generic type of the class.
protocol IndexMetadata {
  var declared: [(isSpatial: Bool, keyPaths: [AnyKeyPath])] { get }
}

extension Schema {
  /// Uniqueness constraints of a model class; `#Unique` creates it.
  ///
  /// Sendable: the parts of a schema are not changed once a container uses them.
  public final class Unique<T: PersistentModel>: SchemaProperty, CustomDebugStringConvertible,
    UniquenessMetadata, @unchecked Sendable
  {
    /// Sets of properties that are unique together.
    public let constraints: [[PartialKeyPath<T>]]
    /// Always "Unique"; required by ``SchemaProperty``.
    public var name = "Unique"
    /// Always "Unique"; required by ``SchemaProperty``.
    public var originalName = "Unique"
    /// Always `Any`; required by ``SchemaProperty``.
    public var valueType: any Any.Type = Any.self

    /// Creates constraints, each a list of properties that are unique together.
    public init(_ constraints: [PartialKeyPath<T>]...) { self.constraints = constraints }

    var keyPaths: [[AnyKeyPath]] { constraints }

    /// Always true.
    public var isUnique: Bool { true }

    /// The keys of the encoded form.
    public enum CodingKeys: CodingKey { case constraints }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      constraints = try container.decode([[String]].self, forKey: .constraints).map {
        try NamedKeyPaths.keyPaths($0, of: T.self, decoder: decoder)
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(constraints.map { NamedKeyPaths.names($0) }, forKey: .constraints)
    }

    public static func == (left: Unique<T>, right: Unique<T>) -> Bool {
      left.constraints == right.constraints
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(constraints) }

    public var debugDescription: String {
      "Unique - constraints: \(constraints.map { NamedKeyPaths.names($0) })"
    }
  }

  /// Indexes of a model class; `#Index` creates it.
  ///
  /// Sendable: the parts of a schema are not changed once a container uses them.
  public final class Index<T: PersistentModel>: SchemaProperty, CustomDebugStringConvertible,
    IndexMetadata, @unchecked Sendable
  {
    /// An index with its kind.
    public enum Types<P: PersistentModel> {
      /// A binary tree over the values, in the order of the properties.
      case binary([PartialKeyPath<P>])
      /// An R-tree over coordinates.
      case rtree([PartialKeyPath<P>])

      var keyPaths: [PartialKeyPath<P>] {
        switch self {
        case .binary(let paths), .rtree(let paths): paths
        }
      }

      var isSpatial: Bool { if case .rtree = self { true } else { false } }
    }

    /// The indexes of the class.
    public let indices: [Types<T>]
    /// Always "Index"; required by ``SchemaProperty``.
    public var name = "Index"
    /// Always "Index"; required by ``SchemaProperty``.
    public var originalName = "Index"
    /// Always `Any`; required by ``SchemaProperty``.
    public var valueType: any Any.Type = Any.self

    /// Creates indexes with their kinds.
    public init(_ indices: Types<T>...) { self.indices = indices }

    /// Creates binary indexes.
    public init(_ binaryIndices: [PartialKeyPath<T>]...) {
      indices = binaryIndices.map { .binary($0) }
    }

    var declared: [(isSpatial: Bool, keyPaths: [AnyKeyPath])] {
      indices.map { ($0.isSpatial, $0.keyPaths) }
    }

    /// Always false.
    public var isUnique: Bool { false }

    /// The keys of the encoded form.
    public enum CodingKeys: CodingKey { case indices }

    private struct Coded: Codable {
      let isSpatial: Bool
      let names: [String]
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      indices = try container.decode([Coded].self, forKey: .indices).map {
        let paths = try NamedKeyPaths.keyPaths($0.names, of: T.self, decoder: decoder)
        return $0.isSpatial ? .rtree(paths) : .binary(paths)
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let coded = indices.map {
        Coded(isSpatial: $0.isSpatial, names: NamedKeyPaths.names($0.keyPaths))
      }
      try container.encode(coded, forKey: .indices)
    }

    public static func == (left: Index<T>, right: Index<T>) -> Bool {
      left.indices.map(\.isSpatial) == right.indices.map(\.isSpatial)
        && left.indices.map(\.keyPaths) == right.indices.map(\.keyPaths)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(indices.map(\.keyPaths)) }

    public var debugDescription: String {
      "Index - indices: \(indices.map { NamedKeyPaths.names($0.keyPaths) })"
    }
  }
}

/// Encodes key paths by the names of their properties.
private enum NamedKeyPaths {
  static func names<T: PersistentModel>(_ keyPaths: [PartialKeyPath<T>]) -> [String] {
    keyPaths.map { ModelType.of(T.self).property(for: $0)?.name ?? "\($0)" }
  }

  static func keyPaths<T: PersistentModel>(
    _ names: [String], of type: T.Type, decoder: any Decoder
  ) throws -> [PartialKeyPath<T>] {
    try names.map { name in
      guard
        let path = ModelType.of(type).property(named: name)?.keyPath as? PartialKeyPath<T>
      else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath,
            debugDescription: "The model \(type) has no property \(name)"))
      }
      return path
    }
  }
}
