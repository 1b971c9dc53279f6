import CoreData

/// Parses the columns of a query.
///
///     title                an attribute, or a to-one relationship (shown as Entity/p7)
///     parent.title         a path through to-one relationships
///     children.@count      any value that is computed of an object
///     sum(price)           an aggregate of all rows or of a group: sum, avg, min, max, count
///     @count               the number of rows
///     price * 2 as double  an expression with a name
package struct ColumnText {
  package let names: [String]
  package let properties: [Any]

  private static let functions = [
    "sum": "sum:", "avg": "average:", "average": "average:", "min": "min:", "max": "max:",
    "count": "count:",
  ]

  /// All columns of an entity: the object ID, attributes and to-one relationships.
  package init(allOf entity: NSEntityDescription) {
    var names = ["objectID"]
    for property in entity.properties.sorted(by: { $0.name < $1.name }) where !property.isTransient
    {
      switch property {
      case let composite as NSCompositeAttributeDescription:
        names += Self.elements(of: composite, composite.name)
      case is NSAttributeDescription: names.append(property.name)
      case let relationship as NSRelationshipDescription where !relationship.isToMany:
        names.append(property.name)
      default: break
      }
    }
    self.names = names
    properties = names
  }

  private static func elements(
    of composite: NSCompositeAttributeDescription, _ path: String
  ) -> [String] {
    composite.elements.flatMap { element in
      (element as? NSCompositeAttributeDescription).map { elements(of: $0, "\(path).\($0.name)") }
        ?? ["\(path).\(element.name)"]
    }
  }

  /// Parses columns. Throws an error for a text that cannot be parsed.
  package init(_ text: String, of entity: NSEntityDescription) throws {
    let items = Self.split(text)
    guard !items.isEmpty else { throw ToolError(.usage, description: "--columns names no column.") }
    var names: [String] = []
    var properties: [Any] = []
    for item in items {
      let (source, name) = Self.named(item)
      names.append(name ?? source)
      properties.append(try Self.property(source, named: name, entity: entity))
    }
    if let twice = Dictionary(grouping: names, by: \.self).first(where: { $0.value.count > 1 }) {
      throw ToolError(
        .usage,
        description: "The column “\(twice.key)” is there twice; give one of them a name with “as”.")
    }
    self.names = names
    self.properties = properties
  }

  /// Splits a text at commas outside of parentheses and quotes.
  package static func split(_ text: String) -> [String] {
    var items = [""]
    var depth = 0
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if "\"'".contains(character) {
        quote = character
      }
      if quote == nil {
        if "([{".contains(character) { depth += 1 }
        if ")]}".contains(character) { depth -= 1 }
        if character == ",", depth == 0 {
          items.append("")
          continue
        }
      }
      items[items.count - 1].append(character)
    }
    return items.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private static func named(_ item: String) -> (source: String, name: String?) {
    guard let match = item.wholeMatch(of: /(.+)\s+as\s+(\S+)/.ignoresCase()) else {
      return (item, nil)
    }
    return (String(match.1).trimmingCharacters(in: .whitespaces), String(match.2))
  }

  private static func property(
    _ source: String, named name: String?, entity: NSEntityDescription
  ) throws -> Any {
    if isPath(source) {
      try check(source, entity: entity)
      if name == nil { return source }
    }
    let description = NSExpressionDescription()
    description.name = name ?? source
    (description.expression, description.expressionResultType) = try expression(source)
    return description
  }

  private static func expression(
    _ source: String
  ) throws -> (NSExpression, NSAttributeType) {
    if source == "@count" {
      return (
        NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "objectID")]),
        .integer64AttributeType
      )
    }
    if let match = source.wholeMatch(of: /(\w+)\s*\((.*)\)/),
      let function = functions[match.1.lowercased()]
    {
      let argument = try PredicateParser.parse(expressionFormat: String(match.2))
      let type: NSAttributeType =
        function == "count:" ? .integer64AttributeType : .undefinedAttributeType
      return (NSExpression(forFunction: function, arguments: [argument]), type)
    }
    return (try PredicateParser.parse(expressionFormat: source), .undefinedAttributeType)
  }

  private static func isPath(_ text: String) -> Bool {
    text.wholeMatch(of: /[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*/) != nil
  }

  /// Checks a key path. The error is more helpful than that of a fetch.
  private static func check(_ path: String, entity: NSEntityDescription) throws {
    for relationship in try entity.relationships(onPath: path) where relationship.isToMany {
      throw ToolError(
        .usage,
        description:
          "“\(path)” leads to many objects, which one column cannot hold: count them with \(path).@count, or query "
          + "\(relationship.destinationEntity?.name ?? "the entity") instead.")
    }
  }
}
