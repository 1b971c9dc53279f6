import Foundation
import KeyValueCoding
@_exported import StringComparators

extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Converts a Swift `SortDescriptor`. Strings are ordered as Apple's conversion orders them: by
  /// `localizedStandardCompare:`, or as the comparator of the descriptor says: by the language with
  /// `.localized`, by bytes with `.lexical`.
  /// Traps if the descriptor has no key path.
  ///
  /// Source: developer.apple.com/documentation/foundation/nssortdescriptor/init(_:)
  public init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) {
    let ascending = sortDescriptor.order == .forward
    guard let keyPath = sortDescriptor.keyPath else {
      fatalError("NSSortDescriptor(_:): the SortDescriptor has no key path")
    }
    let selector = SortSelector(of: sortDescriptor, keyPath)
    guard let name = KeyPathName.name(of: keyPath) else {
      self.init(
        key: nil, ascending: ascending,
        comparator: { left, right in
          guard let left = left as? Compared, let right = right as? Compared else {
            return .orderedSame
          }
          let order = sortDescriptor.compare(left, right)
          return ascending ? order : ComparisonResult(rawValue: -order.rawValue) ?? .orderedSame
        })
      return
    }
    self.init(key: name, ascending: ascending, selectorName: selector.rawValue)
  }
}

extension SortSelector {
  /// The selector of a sort descriptor with a key path. Strings without a comparator are ordered as
  /// in file managers.
  package init<Compared>(
    of descriptor: SortDescriptor<Compared>, _ keyPath: PartialKeyPath<Compared>
  ) {
    let type = Swift.type(of: keyPath).valueType
    let isText = type == String.self || type == String?.self
    self =
      switch descriptor.stringComparator {
      case nil: isText ? .localizedStandardCompare : .compare
      case .localizedStandard: .localizedStandardCompare
      case .localized: .localizedCompare
      default: .compare
      }
  }
}
