import Foundation

/// An entity mapping as a compiled mapping model describes it.
package struct CompiledMapping {
  package typealias Property = (name: String?, expression: MappingExpression?, userInfo: Data?)

  package var name: String
  /// The number of the mapping type (see `MappingCompiler`).
  package var type: UInt
  package var sourceName: String?
  package var sourceHash: Data?
  package var destinationName: String?
  package var destinationHash: Data?
  package var policyClassName: String?
  package var source: MappingExpression?
  package var attributes: [Property]?
  package var relationships: [Property]?
  /// A keyed archive.
  package var userInfo: Data?

  package init(name: String, type: UInt) {
    self.name = name
    self.type = type
  }
}

/// An expression of a mapping model, written by hand or of a kind that Xcode generates.
package enum MappingExpression {
  /// A keyed archive of an expression.
  case archive(Data)
  /// All objects of a source entity.
  case fetch(entity: String)
  /// `$source.path`
  case value(path: String)
  /// The destination objects that a mapping has made for the source objects at a path.
  case destinations(mapping: String, path: String)
  /// The destination objects that any mapping has made for the source objects at a path.
  case destinationsOfRelationship(String, path: String)
}
