import KeyValueCoding
import Predicates

/// One sort descriptor, ready to read keys and to compare them.
final class SortColumn {
  private enum Order {
    case selector(SortSelector)
    case comparator(Comparator)
  }

  let key: KeyColumn
  private let order: Order
  let ascending: Bool

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
    case .selector(let selector):
      order = .selector(selector)
      isPlain = selector == .compare && key.isStored
    case .comparator(let comparator):
      order = .comparator(comparator)
      isPlain = false
    case .unknownSelector(let name):
      throw CoreDataError.make(
        .coreData, reason: "NSSortDescriptor: the selector \(name) is not supported.")
    }
  }

  /// Whether equal values are always neighbours: they are compared as they are.
  let isPlain: Bool

  /// The selector; nil for a comparator, of which nothing is known.
  var name: String? {
    if case .selector(let selector) = order { selector.rawValue } else { nil }
  }

  /// The order of two keys, the descriptor's direction included. Nil comes first when ascending.
  func compare(_ first: TypedValue, _ second: TypedValue) -> ComparisonResult {
    ascending ? compareAscending(first, second) : compareAscending(second, first)
  }

  private func compareAscending(_ first: TypedValue, _ second: TypedValue) -> ComparisonResult {
    // The most frequent keys of long lists.
    if isPlain, case .integer(let first) = first, case .integer(let second) = second {
      if first == second { return .orderedSame }
      return first < second ? .orderedAscending : .orderedDescending
    }
    return switch order {
    case .selector(let selector): trapping { try selector.order(first, second) }
    case .comparator(let comparator): comparator(first.any ?? NSNull(), second.any ?? NSNull())
    }
  }
}
