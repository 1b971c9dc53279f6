import Foundation
import KeyValueCoding

/// Sort descriptors turned into closures over slots, for sorting and for finding an object's place.
/// Immutable.
package struct CompiledSort {
  private typealias Order = (AnyObject, AnyObject) throws -> ComparisonResult

  private let orders: [Order]

  /// - Parameters:
  ///   - descriptors: applied in order; Foundation's own count by the key behind their key path.
  ///   - reader: how the objects' key paths are read.
  package init(
    _ descriptors: [NSSortDescriptor], reader: @escaping KeyPathReader = { _ in nil }
  ) {
    orders = descriptors.map { Self.order(of: $0, reader) }
  }

  /// The order of two objects. Throws for values that have no order and for keys that do not exist.
  package func order(_ first: AnyObject, _ second: AnyObject) throws -> ComparisonResult {
    for order in orders {
      let result = try order(first, second)
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }

  /// A comparator, and a key path without a name, are left to the descriptor itself.
  private static func order(of descriptor: NSSortDescriptor, _ reader: KeyPathReader) -> Order {
    guard let key = descriptor.key, let selector = descriptor.sortSelector else {
      return { descriptor.compare($0, to: $1) }
    }
    let read = reader(key) ?? keyValueReader(key)
    let sign = descriptor.ascending ? 1 : -1
    return { first, second in
      let result = try selector.order(try read(first), try read(second))
      return ComparisonResult(rawValue: result.rawValue * sign) ?? .orderedSame
    }
  }

  private static func keyValueReader(_ key: String) -> (AnyObject) throws -> TypedValue {
    let path = Result { try ValuePath(key) }
    return { TypedValue(try path.get().value(of: $0)) }
  }
}
