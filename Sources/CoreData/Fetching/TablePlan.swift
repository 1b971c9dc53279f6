/// A fetch of dictionaries as a store sees it: columns of the rows of a ``FetchPlan``, or of groups of
/// those rows. Limit and offset of the plan count the results.
package struct TablePlan {
  package var rows: FetchPlan
  package var columns: [Column]
  /// Columns by whose values rows are grouped; never expressions.
  package var groups: [Column] = []
  package var isDistinct = false

  package struct Column {
    package let name: String
    package let source: Source

    package init(name: String, source: Source) {
      self.name = name
      self.source = source
    }
  }

  package enum Source {
    /// A stored attribute or to-one relationship at the end of a path of to-one relationships.
    case path([Step])
    /// The object's own ID.
    case identity
    /// Computed by the store, of the type that the description promises.
    case expression(NSExpression, NSAttributeType)
  }

  /// One key of a path: the slot that it has in an entity.
  package struct Step {
    package let layout: EntityLayout
    package let slot: Int

    /// What boxes the values of the slot.
    package var type: NSAttributeType {
      if case .attribute(let type) = layout.slots[slot].kind { return type }
      return .objectIDAttributeType
    }
  }

  package init(rows: FetchPlan, columns: [Column]) {
    self.rows = rows
    self.columns = columns
  }

  /// Whether a result stands for several rows. Aggregates without groups make one of them all.
  package var isGrouped: Bool { !groups.isEmpty || columns.contains(where: \.isAggregate) }
}

extension TablePlan.Column {
  /// The aggregate functions of columns: the values of all rows of a group go in, one comes out.
  private static let aggregates: Set<String> = [
    "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
  ]

  package var isAggregate: Bool { aggregate != nil }

  /// The function and what it is computed of.
  package var aggregate: (function: String, argument: NSExpression)? {
    guard case .expression(let expression, _) = source,
      case .function(let name, let arguments) = expression.content, arguments.count == 1,
      Self.aggregates.contains(name)
    else { return nil }
    return (name, arguments[0])
  }

  /// Whether both have the same values.
  package func hasSameSource(as other: Self) -> Bool {
    switch (source, other.source) {
    case (.path(let left), .path(let right)):
      left.map(\.slot) == right.map(\.slot) && left.last?.layout === right.last?.layout
    case (.identity, .identity): true
    default: false
    }
  }
}
