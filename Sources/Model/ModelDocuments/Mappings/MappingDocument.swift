import Foundation

/// The contents of an `.xcmappingmodel` as plain values.
package struct MappingDocument: Sendable {
  /// The path of the file, for messages.
  package var file: String
  package var source = MappedModel()
  package var destination = MappedModel()
  /// The entity mappings in the order of their execution.
  package var entities: [MappedEntity] = []

  package init(file: String) {
    self.file = file
  }
}

/// The source or destination model of a mapping model.
package struct MappedModel: Sendable {
  /// The path of the model relative to the project's folder.
  package var path: String?
  /// The editor's copy of the model, in the format of `elements`.
  package var copy: Data?

  package init(path: String? = nil, copy: Data? = nil) {
    self.path = path
    self.copy = copy
  }
}

/// The mapping of one entity.
package struct MappedEntity: Sendable {
  package let line: Int?
  package var sourceName: String?
  package var destinationName: String?
  package var policyClassName: String?
  package var attributes: [MappedProperty] = []
  package var relationships: [MappedProperty] = []

  package init(line: Int?) {
    self.line = line
  }

  /// The name that Xcode gives the mapping; the file has no names.
  package var name: String {
    guard let sourceName else { return destinationName ?? "" }
    return destinationName.map { "\(sourceName)To\($0)" } ?? sourceName
  }
}

/// The mapping of one property.
package struct MappedProperty: Sendable {
  package let name: String
  package let line: Int?
  /// A keyed archive of an expression.
  package var expression: Data?
  /// For a relationship: `$source.key.path`, the path to the source objects.
  package var keyPath: String?
  /// For a relationship: the mapping that made the destination objects for the objects at
  /// `keyPath`.
  package var mappingName: String?
  /// Whether a missing expression is derived from the names.
  package var isAutomatic = true

  package init(name: String, line: Int?) {
    self.name = name
    self.line = line
  }
}
