import CoreData

/// The columns of a query, as they are typed.
///
///     title                an attribute, or a to-one relationship (shown as Entity/p7)
///     parent.title         through to-one relationships
///     children.@count      anything that is computed of an object
///     sum(price)           of all rows, or of a group: sum, avg, min, max, count
///     @count               how many rows
///     price * 2 as double  an expression, with a name
package struct ColumnText {
  package let names: [String]
  package let properties: [Any]

  private static let functions = [
    "sum": "sum:", "avg": "average:", "average": "average:", "min": "min:", "max": "max:",
    "count": "count:",
  ]

  /// All columns that there are: the object itself, attributes and to-one relationships.
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

  /// Throws an error for what cannot be parsed.
  package init(_ text: String, of entity: NSEntityDescription) throws {
    let items = Self.split(text)
    guard !items.isEmpty else { throw ToolError(.usage, "--columns names no column.") }
    var names: [String] = []
    var properties: [Any] = []
    for item in items {
      let (source, name) = Self.named(item)
      names.append(name ?? source)
      properties.append(try Self.property(source, named: name, entity))
    }
    if let twice = Dictionary(grouping: names, by: \.self).first(where: { $0.value.count > 1 }) {
      throw ToolError(
        .usage, "The column “\(twice.key)” is there twice; give one of them a name with “as”.")
    }
    self.names = names
    self.properties = properties
  }

  /// At commas that are in no parentheses and no quotes.
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
    _ source: String, named name: String?, _ entity: NSEntityDescription
  ) throws -> Any {
    if isPath(source) {
      try check(source, entity)
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

  /// Says more of a wrong name than a fetch would.
  private static func check(_ path: String, _ entity: NSEntityDescription) throws {
    var next: NSEntityDescription? = entity
    for (index, key) in path.split(separator: ".").map(String.init).enumerated() {
      guard let current = next else { return }
      if ["objectID", "self", "SELF"].contains(key) { return }
      guard let property = current.propertiesByName[key] else {
        let names = current.properties.map(\.name).sorted().joined(separator: ", ")
        throw ToolError(
          .usage,
          "\(current.name ?? "") has no property “\(key)”\(index > 0 ? " (\(path))" : ""); it has: \(names)."
        )
      }
      let relationship = property as? NSRelationshipDescription
      if let relationship, relationship.isToMany {
        throw ToolError(
          .usage,
          "“\(path)” leads to many objects, which one column cannot hold: count them with \(path).@count, or query "
            + "\(relationship.destinationEntity?.name ?? "the entity") instead.")
      }
      next = relationship?.destinationEntity
    }
  }
}
