// Inlinable: in other modules the functions would otherwise be called unspecialized.

extension Array where Element: AnyObject {
  /// Calls `body` with each element, unretained: the array keeps it alive. Retaining a hundred
  /// thousand objects at each step would cost more than most steps.
  @inlinable @inline(__always)
  package func forEachUncounted(_ body: (Element) throws -> Void) rethrows {
    try self[...].forEachUncounted(body)
  }

  /// Whether all elements satisfy the predicate, which gets them unretained.
  @inlinable @inline(__always)
  package func allSatisfyUncounted(_ predicate: (Element) -> Bool) -> Bool {
    self[...].withUncounted { $0.allSatisfy { $0._withUnsafeGuaranteedRef(predicate) } }
  }
}

extension ArraySlice where Element: AnyObject {
  /// Calls `body` with each element, unretained: the slice keeps it alive.
  @inlinable @inline(__always)
  package func forEachUncounted(_ body: (Element) throws -> Void) rethrows {
    try withUncounted { for element in $0 { try element._withUnsafeGuaranteedRef(body) } }
  }

  /// Calls `body` with the elements as unretained references.
  @inlinable @inline(__always)
  package func withUncounted<Result>(
    _ body: (UnsafeBufferPointer<Unmanaged<Element>>) throws -> Result
  ) rethrows -> Result {
    // Sound: `Unmanaged` has the layout of a class reference, and the slice keeps the elements
    // alive.
    try withUnsafeBufferPointer { try $0.withMemoryRebound(to: Unmanaged<Element>.self, body) }
  }
}

extension Set where Element: AnyObject {
  /// Makes a set of elements that are mostly distinct, without retaining them in between.
  @inlinable
  package init(uncounted elements: [Element]) {
    self.init(minimumCapacity: elements.count)
    elements.forEachUncounted { update(with: $0) }
  }
}
