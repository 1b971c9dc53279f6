import KeyValueCoding
import Predicates

/// One sort descriptor, ready to read keys and to compare them.
struct SortColumn {
  private enum Order {
    case selector(SortSelector)
    case comparator(Comparator)
  }

  let key: KeyColumn
  private let order: Order
  private let ascending: Bool

  /// - Throws: code 134060 for a descriptor that names no key path or a selector that is unknown.
  init(_ descriptor: NSSortDescriptor, layout: EntityLayout) throws {
    guard let path = descriptor.key else {
      throw CoreDataError.make(
        .coreData,
        reason: "A sort descriptor of a fetch must name a key path; \(descriptor) does not.")
    }
    key = try KeyColumn(path, layout: layout)
    ascending = descriptor.ascending
    switch (descriptor as? KeyedSortDescriptor)?.order ?? .selector(.compare) {
    case .selector(let selector): order = .selector(selector)
    case .comparator(let comparator): order = .comparator(comparator)
    case .unknownSelector(let name):
      throw CoreDataError.make(
        .coreData, reason: "NSSortDescriptor: the selector \(name) is not supported.")
    }
  }

  /// Whether equal values are always neighbours: they are compared as they are.
  var isPlain: Bool {
    if case .selector(.compare) = order { key.isStored } else { false }
  }

  /// The order of two keys, the descriptor's direction included. Nil comes first when ascending.
  func compare(_ first: TypedValue, _ second: TypedValue) -> ComparisonResult {
    let result = compareAscending(first, second)
    guard !ascending else { return result }
    return switch result {
    case .orderedAscending: .orderedDescending
    case .orderedDescending: .orderedAscending
    case .orderedSame: .orderedSame
    }
  }

  private func compareAscending(_ first: TypedValue, _ second: TypedValue) -> ComparisonResult {
    switch order {
    case .selector(let selector): trapping { try selector.order(first, second) }
    case .comparator(let comparator): comparator(first.any ?? NSNull(), second.any ?? NSNull())
    }
  }
}
