import Foundation
import KeyValueCoding

extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// The sort descriptor of one of Swift's. Strings are ordered as Apple's are: as file managers do
  /// (`localizedStandardCompare:`) unless the descriptor's comparator is `.lexical`, which orders by bytes.
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
