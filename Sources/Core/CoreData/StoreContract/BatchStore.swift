/// A store that runs batch requests: it changes rows without making objects of them.
///
/// Each call is one transaction. The outcome has the number of affected rows, and their identities
/// if the request wants them.
package protocol BatchStore: RowStore {
  func insert(_ batch: BatchInsertion) throws -> BatchOutcome
  func update(_ batch: BatchUpdate) throws -> BatchOutcome
  func delete(_ batch: BatchDeletion) throws -> BatchOutcome
}

package struct BatchOutcome {
  package var count = 0
  /// The identities of the affected rows; empty unless the request wants them.
  package var identities: [NSManagedObjectID] = []

  package init() {}
}

package struct BatchInsertion {
  /// The action for a row whose unique values another row of the store has already.
  package enum Collision {
    case fails
    /// The given values replace those of the stored row.
    case replacesGiven
    /// All values replace those of the stored row.
    case replacesAll
    /// The stored row stays unchanged; the new one is dropped.
    case keepsStored
  }

  package let layout: EntityLayout
  package let collision: Collision
  package let wantsIdentities: Bool
  /// Fills the next row, which begins with the defaults, and returns the slots that were given; nil
  /// at the end.
  package let next: (Row) throws -> BatchSlots?
}

/// The slots of a batch's row that have a given value.
package enum BatchSlots {
  case all
  case some([Int])
}

package struct BatchUpdate {
  /// The rows to change.
  package let rows: FetchPlan
  package let values: [(slot: Int, value: NewValue)]
  package let wantsIdentities: Bool

  package enum NewValue {
    case constant(Value)
    case expression(NSExpression)
  }
}

package struct BatchDeletion {
  /// The rows to delete.
  package let rows: FetchPlan
  package let wantsIdentities: Bool
}
