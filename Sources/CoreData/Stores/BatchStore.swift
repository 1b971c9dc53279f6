/// A store that answers batch requests: it changes rows without anybody reading them.
///
/// Each call is one transaction. The result has the identities of the rows if they are asked for, and
/// their number in any case.
package protocol BatchStore: RowStore {
  func insert(_ batch: BatchInsertion) throws -> BatchOutcome
  func update(_ batch: BatchUpdate) throws -> BatchOutcome
  func delete(_ batch: BatchDeletion) throws -> BatchOutcome
}

package struct BatchOutcome {
  package var count = 0
  /// Empty unless wanted.
  package var identities: [NSManagedObjectID] = []

  package init() {}
}

package struct BatchInsertion {
  /// What happens to a row whose unique values are there already.
  package enum Collision {
    case fails
    /// The values that were given replace those of the row that is there.
    case replacesGiven
    /// All values replace those of the row that is there.
    case replacesAll
    /// The row that is there stays as it is.
    case keepsStored
  }

  package let layout: EntityLayout
  package let collision: Collision
  package let wantsIdentities: Bool
  /// Sets the slots of the next row, which has the defaults, and says which were given; nil at the end.
  package let next: (Row) throws -> BatchSlots?
}

/// The slots that a row of a batch has a value for.
package enum BatchSlots {
  case all
  case some([Int])
}

package struct BatchUpdate {
  /// Which rows.
  package let rows: FetchPlan
  package let values: [(slot: Int, value: NewValue)]
  package let wantsIdentities: Bool

  package enum NewValue {
    case constant(Value)
    case expression(NSExpression)
  }
}

package struct BatchDeletion {
  /// Which rows.
  package let rows: FetchPlan
  package let wantsIdentities: Bool
}
