/// The SELECT of a ``TablePlan``, and the positions of its columns.
///
///     name, sum:(price) grouped by name
///     ──►  SELECT t0.ZNAME, IFNULL(SUM(t0.ZPRICE), 0) FROM ZGOODS t0 GROUP BY t0.ZNAME
struct SQLTableQuery {
  /// The contents of a result column.
  enum Reading {
    case slot(TablePlan.Step, ColumnMapping, column: Int32, entityColumn: Int32?)
    /// `Z_ENT` and `Z_PK`, in this order.
    case identity(column: Int32)
    /// A computed value. Where the column's description declares no type, `kind` decides between
    /// text, date and so on.
    case value(NSAttributeType, SQLOperand.Kind, column: Int32)
  }

  let sql: String
  let values: [SQLValue]
  let readings: [Reading]

  init(_ plan: TablePlan, entity: EntityMapping, store context: SQLQueryContext) throws {
    let builder = SQLPredicateBuilder(context: context)
    let scope = SQLScope(
      builder.row("t0", layout: plan.rows.layout),
      includesSubentities: plan.rows.includesSubentities)
    var list = SQLColumnList(builder: builder, scope: scope)
    readings = try plan.columns.map { try list.append($0) }
    var groups = SQLColumnList(builder: builder, scope: scope)
    for group in plan.groups { _ = try groups.append(group) }
    let tail = try builder.tail(plan.rows, entity: entity, scope: scope, groupedBy: groups.columns)
    let start = plan.isDistinct ? "SELECT DISTINCT " : "SELECT "
    let table = SQLIdentifier.quoted(entity.table)
    let whole: SQLFragment =
      "\(raw: start)\(list.columns.joined(separator: ", ")) FROM \(raw: table) t0\(tail)"
    (sql, values) = whole.rendered(context.dialect)
  }
}

/// The columns of a SELECT or GROUP BY, converted to SQL one by one.
private struct SQLColumnList {
  private static let aggregates = [
    "count:": "COUNT", "min:": "MIN", "max:": "MAX", "average:": "AVG", "sum:": "SUM",
  ]

  let builder: SQLPredicateBuilder
  let scope: SQLScope
  private(set) var columns: [SQLFragment] = []

  init(builder: SQLPredicateBuilder, scope: SQLScope) {
    self.builder = builder
    self.scope = scope
  }

  mutating func append(_ column: TablePlan.Column) throws -> SQLTableQuery.Reading {
    switch column.source {
    case .identity:
      let index = add("t0.Z_ENT")
      _ = add("t0.Z_PK")
      return .identity(column: index)
    case .path(let steps): return try append(steps, name: column.name)
    case .expression(let expression, let type):
      let (sql, kind) = try value(of: column, expression)
      return .value(type, kind, column: add(sql))
    }
  }

  private mutating func append(
    _ steps: [TablePlan.Step], name: String
  ) throws -> SQLTableQuery.Reading {
    var place = scope.evaluated
    for step in steps.dropLast() { place = try builder.follow(step.slot, of: place) }
    guard let step = steps.last,
      let mapping = try builder.context.entity(step.layout).columns[step.slot]
    else { throw SQLGeneration.unsupported("the transient property “\(name)”") }
    let quoted = SQLIdentifier.quoted
    let index = add(SQLFragment(text: "\(place.alias).\(quoted(mapping.name))"))
    let entityIndex = mapping.entityColumn.map {
      add(SQLFragment(text: "\(place.alias).\(quoted($0))"))
    }
    return .slot(step, mapping, column: index, entityColumn: entityIndex)
  }

  private mutating func add(_ sql: SQLFragment) -> Int32 {
    columns.append(sql)
    return Int32(columns.count) - 1
  }

  // MARK: - Expressions

  private func value(
    of column: TablePlan.Column, _ expression: NSExpression
  ) throws -> (SQLFragment, SQLOperand.Kind) {
    guard let (function, argument) = column.aggregate else {
      return try valued(builder.wholeOperand(expression, scope: scope), column: column)
    }
    guard let name = Self.aggregates[function] else {
      throw SQLGeneration.unsupported("the function \(function) in a column")
    }
    if function == "count:", case .toMany = try builder.resolve(argument, scope: scope) {
      return try memberCount(argument)
    }
    let (sql, kind) = try valued(builder.wholeOperand(argument, scope: scope), column: column)
    let isComputed = ["sum:", "average:"].contains(function)
    guard function == "count:" || (isComputed ? kind.isNumber : kind.isOrdered) else {
      throw SQLGeneration.unsupported("the function \(function) of such values")
    }
    let isOfDecimals = isComputed && kind == .decimal
    let isWhole = function == "average:" && isInteger(argument)
    let called =
      isOfDecimals
      ? SQLFunction.ofDecimals(name) : isWhole ? SQLFunction.averageOfIntegers : name
    let call: SQLFragment = "\(raw: called)(\(sql))"
    switch function {
    case "count:": return (call, .number)
    case "sum:": return ("IFNULL(\(call), 0)", isOfDecimals ? .decimal : .number)
    default: return (call, kind)
    }
  }

  /// Whether the argument is an integer attribute, of the object or along a path.
  private func isInteger(_ argument: NSExpression) -> Bool {
    guard case .keyPath(let path, of: nil) = argument.content,
      let column = try? TablePlan.Column(path, of: scope.evaluated.layout, in: ""),
      case .path(let steps) = column.source, let type = steps.last?.type
    else { return false }
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return true
    default: return false
    }
  }

  /// The number of members of all rows in a group.
  private func memberCount(
    _ argument: NSExpression
  ) throws -> (SQLFragment, SQLOperand.Kind) {
    guard case .keyPath(let path, of: nil) = argument.content else {
      throw SQLGeneration.unsupported("the number of such members in a column")
    }
    let keys = path.split(separator: ".").map(String.init) + ["@count"]
    guard case .operand(.expression(let sql, _)) = try builder.resolve(keys, from: scope.evaluated)
    else {
      throw SQLGeneration.unsupported("the number of such members in a column")
    }
    return ("IFNULL(SUM(\(sql)), 0)", .number)
  }

  private func valued(
    _ operand: SQLOperand, column: TablePlan.Column
  ) throws -> (SQLFragment, SQLOperand.Kind) {
    switch operand {
    case .expression(let sql, let kind) where kind != .entity: return (sql, kind)
    case .constant(let value):
      for kind in [SQLOperand.Kind.number, .text, .date, .data] {
        if case .value(let value) = SQLConstant(value, as: kind, context: builder.context) {
          return (SQLFragment(value), kind)
        }
      }
    case .expression, .list, .rows: break
    }
    throw SQLGeneration.unsupported("the expression of the column “\(column.name)”")
  }
}
