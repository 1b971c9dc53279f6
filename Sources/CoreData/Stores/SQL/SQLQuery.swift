/// What follows the table in the SELECT of a plan: joins, condition, order, limit.
///
/// Rows that the sort descriptors leave equal come in the order of their keys, so that the order of a
/// fetch is always the same; without sort descriptors the order is SQLite's.
struct SQLQuery {
  let tail: String
  let values: [SQLValue]

  init(_ plan: FetchPlan, entity: EntityMapping, store context: SQLQueryContext) throws {
    let builder = SQLPredicateBuilder(context: context)
    let scope = SQLScope(alias: "t0", layout: plan.layout)
    var conditions = Self.kindCondition(plan, entity)
    if let predicate = plan.predicate {
      conditions.append(try builder.condition(predicate, scope))
    }
    let order = try builder.order(plan.sortDescriptors, scope)
    var tail: SQLFragment = "\(raw: scope.joinText)"
    if !conditions.isEmpty { tail = "\(tail) WHERE \(conditions.joined(separator: " AND "))" }
    if let order { tail = "\(tail) ORDER BY \(raw: order)" }
    let whole: SQLFragment = "\(tail)\(Self.window(plan))"
    (self.tail, values) = whole.rendered(context.dialect)
  }

  private static func kindCondition(_ plan: FetchPlan, _ entity: EntityMapping) -> [SQLFragment] {
    entity.kindCondition(includesSubentities: plan.includesSubentities).map {
      [SQLFragment(text: $0)]
    } ?? []
  }

  private static func window(_ plan: FetchPlan) -> SQLFragment {
    guard plan.limit > 0 || plan.offset > 0 else { return "" }
    // −1 is no limit.
    let limit = SQLFragment(.integer(plan.limit > 0 ? Int64(plan.limit) : -1))
    guard plan.offset > 0 else { return " LIMIT \(limit)" }
    return " LIMIT \(limit) OFFSET \(SQLFragment(.integer(Int64(plan.offset))))"
  }
}

extension EntityMapping {
  /// What tells the entity's rows under the alias `t0` from others of its table; nil when all are its own.
  func kindCondition(includesSubentities: Bool) -> String? {
    let isRoot = entityNumber == rootEntityNumber
    if !sharesTable || includesSubentities && isRoot { return nil }
    let numbers = includesSubentities ? kindNumbers : [entityNumber]
    if numbers.count == 1 { return "t0.Z_ENT = \(numbers[0])" }
    return "t0.Z_ENT IN (\(numbers.sorted().map(String.init).joined(separator: ", ")))"
  }
}

extension SQLPredicateBuilder {
  /// What follows ORDER BY; nil without descriptors.
  func order(_ descriptors: [NSSortDescriptor], _ scope: SQLScope) throws -> String? {
    guard !descriptors.isEmpty else { return nil }
    let terms = try descriptors.map { try term($0, scope) }
    return (terms + ["\(scope.alias).Z_PK"]).joined(separator: ", ")
  }

  private func term(_ descriptor: NSSortDescriptor, _ scope: SQLScope) throws -> String {
    guard let key = descriptor.key, !key.isEmpty else {
      throw SQLGeneration.unsupported("a sort descriptor without a key")
    }
    guard let selector = descriptor.sortSelector else {
      throw SQLGeneration.unsupported(
        "the sort descriptor of “\(key)”: "
          + (descriptor.selectorName.map { "the selector \($0)" } ?? "comparator blocks"))
    }
    let resolved = try resolve(key.split(separator: ".").map(String.init), from: scope)
    guard case .operand(.expression(let sql, let kind)) = resolved else {
      throw CoreDataError.make(
        .coreData, reason: "to-many key not allowed here: a sort descriptor has the key “\(key)”")
    }
    if case .opaque(let name) = kind {
      throw SQLGeneration.unsupported("a sort by the contents of “\(name)”")
    }
    let (text, values) = sql.rendered(context.dialect)
    guard values.isEmpty else {
      throw SQLGeneration.unsupported("a sort by such an expression")
    }
    let collation = kind == .text ? context.dialect.collations[selector] : nil
    return text + (collation.map { " COLLATE \($0)" } ?? "") + (descriptor.ascending ? "" : " DESC")
  }
}
