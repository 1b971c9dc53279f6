import Foundation

/// An entity mapping with everything that a compiled mapping model says of it.
package struct CompiledMapping {
  package typealias Property = (name: String?, expression: MappingExpression?, userInfo: Data?)

  package var name: String
  /// As archives number the types.
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

/// An expression of a mapping model: one that was written by hand, or one of the kinds that Xcode makes.
package enum MappingExpression {
  /// A keyed archive of an expression.
  case archive(Data)
  /// All objects of a source entity.
  case fetch(entity: String)
  /// `$source.path`
  case value(path: String)
  /// The objects that a mapping has made of the source objects at a path.
  case destinations(mapping: String, path: String)
  /// The objects that any mapping has made of the source objects at a path.
  case destinationsOfRelationship(String, path: String)
}
