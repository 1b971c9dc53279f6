import Predicates

extension SQLPredicateBuilder {
  /// A subselect over all objects of the fetch's entity: `max(age)`. Nil for other functions.
  func rowAggregate(
    _ name: String, arguments: [NSExpression], scope: SQLScope
  ) throws -> SQLOperand? {
    let layout = scope.evaluated.layout
    guard let argument = RowAggregate.argument(of: name, arguments, layout: layout) else {
      return nil
    }
    guard let function = Self.aggregateFunctions[name] else { throw SQLGeneration.function(name) }
    let row = row(makeAlias(), layout: layout)
    let inner = SQLScope(row, includesSubentities: scope.includesSubentities)
    guard
      case .expression(let sql, let kind) = try undoubted({ try operand(argument, scope: inner) })
    else { throw SQLGeneration.unsupported("\(name) of \(argument.formatWithoutValues)") }
    let (value, result) = try aggregate(
      function, of: sql, kind: kind, name: argument.formatWithoutValues)
    let entity = try context.entity(layout)
    let kinds = entity.kindCondition(
      includesSubentities: scope.includesSubentities, alias: row.alias,
      dialect: context.dialect)
    let condition = kinds.map { " WHERE \($0)" } ?? ""
    let from = "\(context.dialect.quoted(entity.table)) \(row.alias)\(row.select.joinText)"
    return .expression("(SELECT \(value) FROM \(raw: from)\(raw: condition))", result)
  }
}
