import CoreData

/// A condition: a predicate in Apple's format language, in which a string constant is converted to
/// the attribute's type; or plain words, which are searched in all text attributes.
///
///     publishedAt > "2024-05-10"       a date, in the forms that this command prints
///     code == "6F9619FF-…"             a UUID; URIs and numbers work likewise
///     sea                              any text attribute contains it, as of +44 20 and me@x.org
package struct Condition {
  private let entity: NSEntityDescription

  package init(of entity: NSEntityDescription) { self.entity = entity }

  /// Parses a command's option: errors in the predicate become usage errors.
  package func option(_ text: String) throws -> NSPredicate {
    do { return try predicate(text) } catch let error as PredicateFormatError {
      throw ToolError(.usage, description: "--where cannot be read. \(error.description)")
    }
  }

  /// Parses a condition. Throws a `PredicateFormatError` with a position in the text, or a
  /// ``ToolError`` for a constant that is not a valid value.
  package func predicate(_ text: String) throws -> NSPredicate {
    do { return try typed(PredicateParser.parse(format: text)) } catch let error
      as PredicateFormatError
    {
      if let words = words(text) { return try containing(words) }
      throw error
    }
  }

  // MARK: - Words

  /// A text with one of these is meant as a predicate.
  private static let operators: Set<String> = [
    "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "BETWEEN",
  ]

  /// Characters that belong to predicates; an apostrophe between letters is one of a word.
  private static let signs = Set("=<>!(){}[]\"'`&|$\\")

  /// The text if it is no unfinished predicate, but words, such as `O’Brien`, `+44 20`, `50 %` and
  /// `me@example.org`; else nil.
  private func words(_ text: String) -> String? {
    let text = text.trimmingCharacters(in: .whitespaces)
    let parts = text.split(separator: " ").map(String.init)
    let beginsWithKey = parts.count > 1 && entity.propertiesByName[parts[0]] != nil
    if beginsWithKey || !Self.operators.isDisjoint(with: parts) { return nil }
    let isPlain = text.replacing(/\p{L}'\p{L}/, with: "").allSatisfy {
      !Self.signs.contains($0)
    }
    return isPlain && !text.isEmpty ? text : nil
  }

  private func containing(_ words: String) throws -> NSPredicate {
    let names = entity.attributesByName.values.filter {
      $0.attributeType == .stringAttributeType && !$0.isTransient
    }.map(\.name).sorted()
    guard !names.isEmpty else {
      throw ToolError(
        .usage,
        description:
          "“\(words)” is no predicate, and \(entity.name ?? "") has no texts in which it could be looked for."
      )
    }
    return NSCompoundPredicate(
      orPredicateWithSubpredicates: names.map {
        NSPredicate(format: "%K CONTAINS[cd] %@", $0, words)
      })
  }

  // MARK: - Types

  private func typed(_ predicate: NSPredicate) throws -> NSPredicate {
    switch predicate {
    case let compound as Foundation.NSCompoundPredicate:
      let parts = try compound.subpredicates.map(typed)
      switch compound.compoundPredicateType {
      case .and: return NSCompoundPredicate(andPredicateWithSubpredicates: parts)
      case .or: return NSCompoundPredicate(orPredicateWithSubpredicates: parts)
      case .not: return NSCompoundPredicate(notPredicateWithSubpredicate: parts[0])
      @unknown default: return predicate
      }
    case let comparison as NSComparisonPredicate: return try typed(comparison)
    default: return predicate
    }
  }

  private static let textual: Set<NSComparisonPredicate.Operator> = [
    .matches, .like, .beginsWith, .endsWith, .contains,
  ]

  private func typed(_ comparison: NSComparisonPredicate) throws -> NSPredicate {
    for side in [comparison.leftExpression, comparison.rightExpression]
    where side.expressionType == .keyPath {
      try entity.relationships(onPath: side.keyPath)
    }
    guard !Self.textual.contains(comparison.predicateOperatorType) else { return comparison }
    let (left, right) = (comparison.leftExpression, comparison.rightExpression)
    let sides = try (
      attribute(right).map { try typed(left, attribute: $0) } ?? left,
      attribute(left).map { try typed(right, attribute: $0) } ?? right
    )
    return NSComparisonPredicate(
      leftExpression: sides.0, rightExpression: sides.1,
      modifier: comparison.comparisonPredicateModifier,
      type: comparison.predicateOperatorType, options: comparison.options)
  }

  /// The attribute at the end of a key path.
  private func attribute(_ expression: NSExpression) -> NSAttributeDescription? {
    guard expression.expressionType == .keyPath else { return nil }
    var keys = expression.keyPath.split(separator: ".").map(String.init)[...]
    var current: NSEntityDescription? = entity
    while let key = keys.popFirst() {
      switch current?.propertiesByName[key] {
      case let relationship as NSRelationshipDescription: current = relationship.destinationEntity
      case let attribute as NSAttributeDescription: return keys.isEmpty ? attribute : nil
      default: return nil
      }
    }
    return nil
  }

  private func typed(
    _ expression: NSExpression, attribute: NSAttributeDescription
  ) throws -> NSExpression {
    switch expression.expressionType {
    case .constantValue:
      guard let value = expression.constantValue else { return expression }
      if let text = value as? String {
        return NSExpression(forConstantValue: try self.value(text, of: attribute))
      }
      guard let list = value as? [Any] else { return expression }
      return NSExpression(
        forConstantValue: try list.map {
          try ($0 as? String).map { try self.value($0, of: attribute) } ?? $0
        })
    case .aggregate:
      guard let members = expression.collection as? [NSExpression] else { return expression }
      return NSExpression(forAggregate: try members.map { try typed($0, attribute: attribute) })
    default: return expression
    }
  }

  private func value(_ text: String, of attribute: NSAttributeDescription) throws -> Any {
    switch attribute.attributeType {
    case .dateAttributeType, .UUIDAttributeType, .URIAttributeType, .integer16AttributeType,
      .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .decimalAttributeType, .booleanAttributeType:
      return try ValueText.value(text, for: attribute, mayReadFiles: false)
    default: return text
    }
  }
}
