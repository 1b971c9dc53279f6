// Inlinable, since what other modules call would be generic there.

extension Array where Element: AnyObject {
  /// Gives each element to `body` without counting it: the array has it meanwhile. Counting a hundred thousand objects
  /// at each step costs more than most steps.
  @inlinable @inline(__always)
  package func forEachUncounted(_ body: (Element) throws -> Void) rethrows {
    try self[...].forEachUncounted(body)
  }

  /// The same question for all elements.
  @inlinable @inline(__always)
  package func allSatisfyUncounted(_ predicate: (Element) -> Bool) -> Bool {
    self[...].withUncounted { $0.allSatisfy { $0._withUnsafeGuaranteedRef(predicate) } }
  }
}

extension ArraySlice where Element: AnyObject {
  /// As of an array.
  @inlinable @inline(__always)
  package func forEachUncounted(_ body: (Element) throws -> Void) rethrows {
    try withUncounted { for element in $0 { try element._withUnsafeGuaranteedRef(body) } }
  }

  @inlinable @inline(__always)
  package func withUncounted<Result>(
    _ body: (UnsafeBufferPointer<Unmanaged<Element>>) throws -> Result
  ) rethrows -> Result {
    try withUnsafeBufferPointer { try $0.withMemoryRebound(to: Unmanaged<Element>.self, body) }
  }
}

extension Set where Element: AnyObject {
  /// Of elements that are mostly not there twice.
  @inlinable
  package init(uncounted elements: [Element]) {
    self.init(minimumCapacity: elements.count)
    elements.forEachUncounted { update(with: $0) }
  }
}
