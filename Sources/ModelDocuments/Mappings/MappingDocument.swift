import Foundation

/// What an `.xcmappingmodel` says, as plain values.
package struct MappingDocument: Sendable {
  /// The path of the file, for messages.
  package var file: String
  package var source = MappedModel()
  package var destination = MappedModel()
  /// In the order in which they are carried out.
  package var entities: [MappedEntity] = []

  package init(file: String) {
    self.file = file
  }
}

/// One of the two models that a mapping model leads between.
package struct MappedModel: Sendable {
  /// Where the model was, seen from the project's folder.
  package var path: String?
  /// The copy of the model that the editor keeps, in the form of `elements`.
  package var copy: Data?

  package init(path: String? = nil, copy: Data? = nil) {
    self.path = path
    self.copy = copy
  }
}

/// How the objects of one entity come to be.
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

  /// As Xcode names it: the file has no names.
  package var name: String {
    guard let sourceName else { return destinationName ?? "" }
    return destinationName.map { "\(sourceName)To\($0)" } ?? sourceName
  }
}

/// Where the value of a property comes from.
package struct MappedProperty: Sendable {
  package let name: String
  package let line: Int?
  /// A keyed archive of an expression.
  package var expression: Data?
  /// For a relationship: `$source.key.path`, the source objects.
  package var keyPath: String?
  /// For a relationship: the mapping that makes the objects of these.
  package var mappingName: String?
  /// Whether a missing expression is made from the names.
  package var isAutomatic = true

  package init(name: String, line: Int?) {
    self.name = name
    self.line = line
  }
}
