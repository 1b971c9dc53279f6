/// A fetch of dictionaries as a store executes it: columns of the rows of a ``FetchPlan``, or of
/// groups of those rows. The plan's limit and offset count results.
package struct TablePlan {
  package var rows: FetchPlan
  package var columns: [Column]
  /// The columns by whose values rows are grouped; never expressions.
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
    /// An expression that the store computes; its type is the one that the description declares.
    case expression(NSExpression, NSAttributeType)
  }

  /// One key of a path: its slot in the layout of an entity.
  package struct Step {
    package let layout: EntityLayout
    package let slot: Int

    /// The type that values of the slot are boxed as.
    package var type: NSAttributeType {
      if case .attribute(let type) = layout.slots[slot].kind { return type }
      return .objectIDAttributeType
    }
  }

  package init(rows: FetchPlan, columns: [Column]) {
    self.rows = rows
    self.columns = columns
  }

  /// Whether a result combines several rows. Aggregates without groups combine all rows into one.
  package var isGrouped: Bool { !groups.isEmpty || columns.contains(where: \.isAggregate) }
}

extension TablePlan.Column {
  /// The aggregate functions of columns: one value per group, computed over all its rows.
  private static let aggregates: Set<String> = [
    "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
  ]

  package var isAggregate: Bool { aggregate != nil }

  /// The aggregate function and its argument; nil for a column that is no aggregate.
  package var aggregate: (function: String, argument: NSExpression)? {
    guard case .expression(let expression, _) = source,
      case .function(let name, let arguments) = expression.content, arguments.count == 1,
      Self.aggregates.contains(name)
    else { return nil }
    return (name, arguments[0])
  }

  /// True if both columns always have equal values.
  package func hasSameSource(as other: Self) -> Bool {
    switch (source, other.source) {
    case (.path(let left), .path(let right)):
      left.map(\.slot) == right.map(\.slot) && left.last?.layout === right.last?.layout
    case (.identity, .identity): true
    default: false
    }
  }
}
