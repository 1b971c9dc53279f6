import Foundation
import KeyValueCoding

extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Converts a Swift `SortDescriptor`. Strings are ordered as Apple's conversion orders them: by
  /// `localizedStandardCompare:`, or by bytes if the comparator of the descriptor is `.lexical`.
  /// Traps if the descriptor has no key path.
  ///
  /// Source: developer.apple.com/documentation/foundation/nssortdescriptor/init(_:)
  public init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) {
    let ascending = sortDescriptor.order == .forward
    guard let keyPath = sortDescriptor.keyPath else {
      fatalError("NSSortDescriptor(_:): the SortDescriptor has no key path")
    }
    let type = Swift.type(of: keyPath).valueType
    let isText = type == String.self || type == String?.self
    let selector: SortSelector =
      isText && sortDescriptor.stringComparator == nil ? .localizedStandardCompare : .compare
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
