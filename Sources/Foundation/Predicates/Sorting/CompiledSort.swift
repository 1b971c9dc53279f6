import Foundation
import KeyValueCoding

/// Sort descriptors compiled to closures over slots, for sorting and for finding the position of an
/// object. Immutable.
package struct CompiledSort {
  private let columns: [Column]

  /// Compiles sort descriptors.
  ///
  /// - Parameters:
  ///   - descriptors: applied in order; Foundation's own are read by the key of their key path.
  ///   - reader: reads the key paths of the objects.
  package init(
    _ descriptors: [NSSortDescriptor], reader: @escaping KeyPathReader = { _ in nil }
  ) {
    columns = descriptors.map { Column($0, reader: reader) }
  }

  /// The order of two objects. Throws for values without an order and for keys that do not exist.
  package func order(_ first: AnyObject, _ second: AnyObject) throws -> ComparisonResult {
    for column in columns {
      let result = try column.order(first, second)
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }

  /// The indexes of the objects in sorted order. Reads each object once; compares strings in an
  /// order of a language by their sort keys. Equal objects keep their order.
  package func sortedIndices(of objects: [AnyObject]) throws -> [Int] {
    let columns = try columns.map { try KeyedColumn($0, objects: objects) }
    guard let first = columns.first else { return Array(objects.indices) }
    let rest = columns.dropFirst()
    return try objects.indices.sorted { left, right in
      var order = try first.order(left, right)
      for column in rest where order == .orderedSame { order = try column.order(left, right) }
      return order == .orderedAscending
    }
  }
}

/// A column with the sort keys of a list of objects.
private struct KeyedColumn {
  private let column: Column
  private let keys: [Column.Key]
  /// The sort keys if all are text, for comparison without a test of their kind; nil otherwise.
  private let texts: [CollationKey]?

  init(_ column: Column, objects: [AnyObject]) throws {
    self.column = column
    let keys = try objects.map(column.key)
    let texts = keys.compactMap { if case .text(let key) = $0 { key } else { nil } }
    self.texts = texts.count == keys.count ? texts : nil
    self.keys = self.texts == nil ? keys : []
  }

  @inline(__always)
  func order(_ first: Int, _ second: Int) throws -> ComparisonResult {
    guard let texts else { return try column.order(keys[first], keys[second]) }
    return column.directed(texts[first].order(to: texts[second]))
  }
}

/// One sort descriptor of a ``CompiledSort``.
private struct Column {
  /// The sort key of an object.
  enum Key {
    case value(TypedValue)
    case text(CollationKey)
    /// The object itself, for a comparator and for a key path without a name.
    case object(AnyObject)
  }

  private enum Source {
    case path((AnyObject) throws -> TypedValue, SortSelector)
    case descriptor(NSSortDescriptor)
  }

  private let source: Source
  private let ascending: Bool

  init(_ descriptor: NSSortDescriptor, reader: KeyPathReader) {
    guard let key = descriptor.key, let selector = descriptor.sortSelector else {
      source = .descriptor(descriptor)
      ascending = true
      return
    }
    source = .path(reader(key) ?? Self.keyValueReader(key), selector)
    ascending = descriptor.ascending
  }

  private static func keyValueReader(_ key: String) -> (AnyObject) throws -> TypedValue {
    let path = Result { try ValuePath(key) }
    return { TypedValue(try path.get().value(of: $0)) }
  }

  func order(_ first: AnyObject, _ second: AnyObject) throws -> ComparisonResult {
    switch source {
    case .descriptor(let descriptor): return descriptor.compare(first, to: second)
    case .path(let read, let selector):
      return directed(try selector.order(try read(first), try read(second)))
    }
  }

  func key(of object: AnyObject) throws -> Key {
    guard case .path(let read, let selector) = source else { return .object(object) }
    let value = try read(object)
    guard selector != .compare, case .string(let text) = value else { return .value(value) }
    return .text(CollationKey(selector.key(for: text)))
  }

  func order(_ first: Key, _ second: Key) throws -> ComparisonResult {
    switch (first, second, source) {
    case (.text(let first), .text(let second), _): directed(first.order(to: second))
    case (.object(let first), .object(let second), .descriptor(let descriptor)):
      descriptor.compare(first, to: second)
    case (_, _, .path(_, let selector)):
      directed(try selector.order(Self.value(of: first), Self.value(of: second)))
    case (_, _, .descriptor): .orderedSame
    }
  }

  /// The value for a comparison with a key of another kind: nil comes first, others throw an error
  /// that names both kinds.
  private static func value(of key: Key) -> TypedValue {
    switch key {
    case .value(let value): value
    case .text: .string("")
    case .object(let object): TypedValue(object: object)
    }
  }

  @inline(__always)
  func directed(_ order: ComparisonResult) -> ComparisonResult {
    if ascending { return order }
    return order == .orderedSame
      ? order : order == .orderedAscending ? .orderedDescending : .orderedAscending
  }
}
