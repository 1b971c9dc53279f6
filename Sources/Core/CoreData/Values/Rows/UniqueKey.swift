/// The values of a row for a uniqueness constraint's properties, for finding rows with equal ones.
struct UniqueKey: Hashable {
  private let values: [AnyHashable]

  /// Returns nil if one of the values is nil: nil never conflicts.
  init?(_ row: Row, slots: [Int]) {
    var values: [AnyHashable] = []
    for slot in slots {
      switch row[slot].loaded {
      case .null: return nil
      case .integer(let value): values.append(value)
      case .real(let value): values.append(value)
      case .text(let value): values.append(Data(value.utf8))
      case .data(let value): values.append(value)
      case .identity(let value): values.append(value)
      case .object(let value): values.append((value as? NSObject) ?? NSNull())
      }
    }
    self.values = values
  }
}

extension NSEntityDescription {
  /// The slots of each uniqueness constraint of the entity and its superentities.
  var uniqueSlots: [[Int]] {
    let own = uniquenessConstraintNames.map { $0.compactMap(layout.slot(of:)) }
    return own.filter { !$0.isEmpty } + (superentity?.uniqueSlots ?? [])
  }
}
