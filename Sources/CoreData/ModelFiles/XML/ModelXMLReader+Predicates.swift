import Foundation

extension ModelXMLReader {
  /// A predicate from the text that a model file has.
  func predicate(
    _ text: String, in element: ModelElement, entity: String?, property: String?
  ) throws -> NSPredicate {
    do {
      return try PredicateParser.parse(format: text)
    } catch {
      throw self.error(element, entity: entity, property: property, error.description)
    }
  }

  /// An expression from the text that a model file has.
  func expression(
    _ text: String, in element: ModelElement, entity: String?, property: String?
  ) throws -> NSExpression {
    do {
      return try PredicateParser.parse(expressionFormat: text)
    } catch {
      throw self.error(element, entity: entity, property: property, error.description)
    }
  }
}
