import KeyValueCoding
import Predicates

/// Makes the results of a ``TablePlan`` from rows in memory, as SQL does for a store in a file.
/// Used on one thread, for one fetch.
package struct TableReader {
  let reader: RowReader
  let plan: TablePlan

  package init(reader: RowReader, plan: TablePlan) {
    self.reader = reader
    self.plan = plan
  }

  /// - Parameter rows: every row that the plan describes, in order. Limit and offset apply to the
  ///   results.
  package func table(_ rows: [Row]) throws -> [[Any?]] {
    let groups = plan.isGrouped ? try grouped(rows) : rows.map { [$0] }
    let table = try groups.map { group in
      try plan.columns.map { try value(of: $0, group) }
    }
    try reader.throwFailure()
    return Self.finished(table, plan: plan)
  }

  /// The results within the plan's limit and offset, of all results in order; without repetitions
  /// if the plan is distinct.
  package static func finished(_ table: [[Any?]], plan: TablePlan) -> [[Any?]] {
    plan.rows.window(plan.isDistinct ? distinct(table) : table)
  }

  /// The rows by group, in the order of the groups' first rows.
  private func grouped(_ rows: [Row]) throws -> [[Row]] {
    guard !plan.groups.isEmpty else { return [rows] }
    var places: [[TypedValue]: Int] = [:]
    var groups: [[Row]] = []
    for row in rows {
      let key = Self.key(try plan.groups.map { try value(of: $0, [row]) })
      if let place = places[key] {
        groups[place].append(row)
      } else {
        places[key] = groups.count
        groups.append([row])
      }
    }
    return groups
  }

  /// The key of a group, which compares values as predicates and SQL do. Swift's strings are equal
  /// whether an accent is composed or not; some equal numbers of Foundation's have different
  /// hashes.
  private static func key(_ values: [Any?]) -> [TypedValue] { values.map { TypedValue($0) } }

  private static func distinct(_ table: [[Any?]]) -> [[Any?]] {
    var seen: Set<[TypedValue]> = []
    return table.filter { seen.insert(key($0)).inserted }
  }

  // MARK: - Values

  private func value(of column: TablePlan.Column, _ rows: [Row]) throws -> Any? {
    if let aggregate = column.aggregate, case .expression(_, let type) = column.source {
      return try Self.typed(
        self.aggregate(aggregate.function, argument: aggregate.argument, rows: rows), type: type,
        name: column.name)
    }
    guard let row = rows.first else { return nil }
    switch column.source {
    case .identity: return row.identity
    case .path(let steps): return value(at: steps, row)
    case .expression(let expression, let type):
      return try Self.typed(computed(expression, row: row), type: type, name: column.name)
    }
  }

  private func value(at steps: [TablePlan.Step], _ row: Row) -> Any? {
    var row = row
    for step in steps.dropLast() {
      guard case .identity(let identity) = row[step.slot], let next = reader.row(of: identity)
      else { return nil }
      row = next
    }
    return steps.last.flatMap { row[$0.slot].boxed($0.type) }
  }

  private func computed(_ expression: NSExpression, row: Row) throws -> Any? {
    do { return try reader.value(of: expression, row) } catch {
      throw CoreDataError.make(.coreData, reason: "\(error)")
    }
  }

  /// An aggregate over the values that are not nil; the members of a to-many relationship count one
  /// by one.
  private func aggregate(
    _ function: String, argument: NSExpression, rows: [Row]
  ) throws -> Any? {
    let values = try rows.flatMap { row in elements(try computed(argument, row: row)) }
    if function == "count:" { return NSNumber(value: values.count) }
    if values.isEmpty { return function == "sum:" ? NSNumber(value: 0) : nil }
    let constant = NSExpression(forConstantValue: values as NSArray)
    let result: Any?
    do {
      result = try NSExpression(forFunction: function, arguments: [constant])
        .value(with: nil, variables: nil)
    } catch {
      throw CoreDataError.make(.coreData, reason: "\(error)")
    }
    if function == "sum:", case .double = TypedValue(result), Self.areIntegers(values) {
      throw CoreDataError.make(
        .coreData,
        reason:
          "integer overflow: the sum of \(argument.formatWithoutValues) does not fit 64 bits. "
          + "Sum parts of it, or an attribute that is a double or a decimal.")
    }
    return result
  }

  private static func areIntegers(_ values: [Any]) -> Bool {
    values.allSatisfy { if case .integer = TypedValue($0) { true } else { false } }
  }

  private func elements(_ value: Any?) -> [Any] {
    switch TypedValue(value) {
    case .null: []
    case .collection(let collection): collection.elements
    default: value.map { [$0] } ?? []
    }
  }

  /// A computed value, converted to the type that its column's description declares. Throws if it
  /// has another type.
  package static func typed(
    _ value: Any?, type: NSAttributeType, name: String
  ) throws -> Any? {
    if let object = value as? RowObject { return object.identity }
    if type == .undefinedAttributeType { return value }
    do { return try Value(value, type: type, name: name).boxed(type) } catch {
      throw CoreDataError.make(
        .coreData, reason: "“\(name)” is not of the type that its description promises.")
    }
  }
}
