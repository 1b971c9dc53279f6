import Predicates

/// An aggregate function over one value of each object, in the predicate of a fetch:
///
///     age == max(age)   ──►   t0.ZAGE = (SELECT MAX(t1.ZAGE) FROM ZPERSON t1)
///
/// It is computed over all objects of the fetched entity, regardless of the predicate. An aggregate
/// over the members of a to-many relationship is another thing: `max(children.age)`.
enum RowAggregate {
  /// The argument of such a function; nil for other functions, for arguments of another form, and
  /// for a value of the member that a variable stands for.
  static func argument(
    of name: String, _ arguments: [NSExpression], layout: EntityLayout
  ) -> NSExpression? {
    guard ExpressionFunction.isAggregate(name), arguments.count == 1,
      isOneValue(arguments[0], layout: layout), !arguments[0].mentionsVariable,
      arguments[0].mentionsObject
    else { return nil }
    return arguments[0]
  }

  /// Refuses a predicate with such a function where a list follows changes: a change of one object
  /// would change which other objects match.
  static func check(_ predicate: NSPredicate?, canBeFollowedIn layout: EntityLayout) throws {
    guard let predicate, predicate.hasRowAggregate(layout) else { return }
    throw CoreDataError.unsupported(
      "A fetched results controller whose predicate has a function of all objects, as in "
        + "\(predicate.formatWithoutValues),",
      instead: "Fetch the value first and put it into the predicate.")
  }

  private static func isOneValue(_ expression: NSExpression, layout: EntityLayout) -> Bool {
    switch expression.content {
    case .evaluatedObject, .function, .message, .cast, .conditional: true
    case .keyPath(let path, of: nil): !crossesMembers(path, layout: layout)
    case .keyPath(let path, let start?):
      if case .evaluatedObject = start.content {
        !crossesMembers(path, layout: layout)
      } else {
        false
      }
    default: false
    }
  }

  /// True for a path that leads through a to-many or fetched property.
  static func crossesMembers(_ path: String, layout: EntityLayout) -> Bool {
    if path.contains("@") { return false }
    var next: EntityLayout? = layout
    var composite = ""
    for key in path.split(separator: ".") where key.uppercased() != "SELF" {
      switch next?.place(of: composite + key) {
      case .toMany, .fetched: return true
      case .composite: composite += key + "."
      case .slot(let slot):
        composite = ""
        let property = next?.slots[slot].property as? NSRelationshipDescription
        next = property?.destinationEntity?.layout
      case nil: return false
      }
    }
    return false
  }
}

extension NSExpression {
  /// Whether the value depends on the evaluated object.
  fileprivate var mentionsObject: Bool {
    switch content {
    case .evaluatedObject, .keyPath(_, of: nil): true
    default: content.children.contains(where: \.mentionsObject) || content.predicate != nil
    }
  }

  /// True if the expression has an aggregate of rows at any depth.
  func hasRowAggregate(_ layout: EntityLayout) -> Bool {
    if case .function(let name, let arguments) = content,
      RowAggregate.argument(of: name, arguments, layout: layout) != nil
    {
      return true
    }
    return content.children.contains { $0.hasRowAggregate(layout) }
      || content.predicate?.hasRowAggregate(layout) ?? false
  }
}

extension NSPredicate {
  func hasRowAggregate(_ layout: EntityLayout) -> Bool {
    switch self {
    case let comparison as NSComparisonPredicate:
      comparison.leftExpression.hasRowAggregate(layout)
        || comparison.rightExpression.hasRowAggregate(layout)
    case let compound as Foundation.NSCompoundPredicate:
      compound.subpredicates.contains { $0.hasRowAggregate(layout) }
    default: false
    }
  }
}

extension EntityLayout {
  /// Returns whether a key path consists of to-one relationships only.
  func leadsToOneValue(_ keyPath: String) -> Bool {
    !keyPath.contains("@") && !RowAggregate.crossesMembers(keyPath, layout: self)
  }
}
