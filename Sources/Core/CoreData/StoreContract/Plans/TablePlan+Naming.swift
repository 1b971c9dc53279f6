extension TablePlan.Column {
  /// Makes the column for an element of `propertiesToFetch` or `propertiesToGroupBy`: a name, a key
  /// path through to-one relationships, a property description or an expression description.
  ///
  /// Throws error 134060, which names the element, if it has no column.
  package init(_ property: Any, of layout: EntityLayout, in setter: String) throws {
    switch property {
    case let description as NSExpressionDescription:
      guard let expression = description.expression else {
        throw Self.invalid(description.name, setter: setter)
      }
      name = description.name
      source = try Self.source(
        expression, type: description.expressionResultType, layout: layout, setter: setter)
    case let description as NSPropertyDescription:
      name = description.name
      source = try Self.source(path: description.name, layout, setter: setter)
    case let name as String:
      self.name = name
      source = try Self.source(path: name, layout, setter: setter)
    default: throw Self.invalid("\(property)", setter: setter)
    }
  }

  private static func source(
    _ expression: NSExpression, type: NSAttributeType, layout: EntityLayout, setter: String
  ) throws -> TablePlan.Source {
    switch expression.content {
    case .evaluatedObject: return .identity
    case .keyPath(let path, of: nil) where !path.contains("@"):
      guard type == .undefinedAttributeType || type == .objectIDAttributeType else { break }
      return try source(path: path, layout, setter: setter)
    case .keyPath(let path, of: nil) where path.hasPrefix("@"):
      return .expression(aggregate(path) ?? expression, type)
    default: break
    }
    return .expression(expression, type)
  }

  /// The function for a key path that begins with a collection operator, such as `@sum.price`: it
  /// is over the rows of a group. Nil for other operators.
  private static func aggregate(_ path: String) -> NSExpression? {
    let parts = path.dropFirst().split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = parts.first.flatMap({ functions[$0] }),
      (parts.count == 1) == (name == "count:")
    else { return nil }
    let argument =
      parts.count == 1
      ? NSExpression.expressionForEvaluatedObject() : NSExpression(forKeyPath: parts[1])
    return NSExpression(forFunction: name, arguments: [argument])
  }

  private static let functions = [
    "sum": "sum:", "avg": "average:", "min": "min:", "max": "max:", "count": "count:",
  ]

  private static func source(
    path: String, _ layout: EntityLayout, setter: String
  ) throws -> TablePlan.Source {
    var keys = path.split(separator: ".").map(String.init)
    if ["objectID", "self", "SELF"].contains(keys.last) { keys.removeLast() }
    if keys.isEmpty { return .identity }
    var steps: [TablePlan.Step] = []
    var next: EntityLayout? = layout
    var composite = ""
    for key in keys {
      guard let layout = next else { throw invalid(path, setter: setter) }
      let key = composite + key
      if case .composite = layout.place(of: key) {
        composite = key + "."
        continue
      }
      composite = ""
      let step = try step(key, of: layout, path: path, setter: setter)
      steps.append(step)
      next =
        (layout.slots[step.slot].property as? NSRelationshipDescription)?
        .destinationEntity?.layout
    }
    guard composite.isEmpty else { throw wholeComposite(path, setter: setter) }
    return .path(steps)
  }

  private static func wholeComposite(_ path: String, setter: String) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "\(path) in \(setter) is a composite attribute: name its elements, by key path.")
  }

  private static func step(
    _ key: String, of layout: EntityLayout, path: String, setter: String
  ) throws -> TablePlan.Step {
    switch layout.place(of: key) {
    case .slot(let slot) where layout.slots[slot].isStored:
      return TablePlan.Step(layout: layout, slot: slot)
    case .toMany:
      throw CoreDataError.make(
        .coreData, reason: "Invalid to-many relationship in \(setter) (\(path))")
    default: throw invalid(path, setter: setter)
    }
  }

  private static func invalid(_ path: String, setter: String) -> NSError {
    CoreDataError.make(.coreData, reason: "Invalid keypath (\(path)) passed to \(setter)")
  }
}
