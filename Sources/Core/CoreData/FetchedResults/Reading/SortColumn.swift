import KeyValueCoding
import Predicates

/// A sort descriptor that can read and compare keys.
final class SortColumn {
  private enum Order {
    case selector(SortSelector)
    case comparator(Comparator)
  }

  let key: KeyColumn
  private let order: Order
  let ascending: Bool

  /// - Throws: code 134060 if the descriptor has no key path or an unknown selector.
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

  /// Whether values are compared directly, so that equal values are always neighbours.
  let isPlain: Bool

  /// The name of the selector; nil for a comparator, which cannot be identified.
  var name: String? {
    if case .selector(let selector) = order { selector.rawValue } else { nil }
  }

  /// The order of two keys, including the descriptor's direction. Nil comes first when ascending.
  func compare(_ first: TypedValue, _ second: TypedValue) -> ComparisonResult {
    ascending ? compareAscending(first, second) : compareAscending(second, first)
  }

  private func compareAscending(_ first: TypedValue, _ second: TypedValue) -> ComparisonResult {
    // Integers are the most frequent keys of long lists.
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
