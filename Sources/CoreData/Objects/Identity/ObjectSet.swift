/// A set of managed objects, which are equal when they are the same.
///
///     entries: ┌ · │ a │ c │ · │ b │ · … ┐   an object is at the place that its address says, or at the next free one
///
/// `Set<NSManagedObject>` asks each object for its hash value, scatters that with a keyed hash function and asks
/// each neighbour whether it is equal: for the hundred thousand members that an edit may move, most of the time.
package struct ObjectSet: Sequence {
  private var entries: ContiguousArray<NSManagedObject?> = []
  package private(set) var count = 0

  package init() {}

  package init(_ objects: some Sequence<NSManagedObject>) {
    makeRoom(for: objects.underestimatedCount)
    for object in objects { insert(object) }
  }

  package var isEmpty: Bool { count == 0 }

  package var underestimatedCount: Int { count }

  package func makeIterator() -> some IteratorProtocol<NSManagedObject> {
    entries.lazy.compactMap { $0 }.makeIterator()
  }

  package func contains(_ object: NSManagedObject) -> Bool {
    count > 0 && entries[place(of: object)] != nil
  }

  package mutating func insert(_ object: NSManagedObject) {
    makeRoom(for: count + 1)
    let place = place(of: object)
    if entries[place] != nil { return }
    entries[place] = object
    count += 1
  }

  /// The object, if it was there.
  @discardableResult
  package mutating func remove(_ object: NSManagedObject) -> NSManagedObject? {
    guard contains(object) else { return nil }
    vacate(place(of: object))
    count -= 1
    return object
  }

  package func filter(_ isIncluded: (NSManagedObject) throws -> Bool) rethrows -> ObjectSet {
    var result = ObjectSet()
    for object in self where try isIncluded(object) { result.insert(object) }
    return result
  }

  // MARK: - Places

  private var mask: Int { entries.count - 1 }

  /// Where the object is, or the free place where it belongs. Counts none of those that it looks at.
  private func place(of object: NSManagedObject) -> Int {
    entries.withUnsafeBufferPointer { entries in
      entries.withMemoryRebound(to: UnsafeMutableRawPointer?.self) {
        Self.place(of: Unmanaged.passUnretained(object).toOpaque(), in: $0)
      }
    }
  }

  @inline(__always)
  private static func place(
    of object: UnsafeMutableRawPointer,
    in entries: UnsafeBufferPointer<UnsafeMutableRawPointer?>
  ) -> Int {
    let mask = entries.count - 1
    var place = home(of: object, mask)
    while let other = entries[place], other != object { place = (place + 1) & mask }
    return place
  }

  private func home(of object: NSManagedObject) -> Int {
    Self.home(of: Unmanaged.passUnretained(object).toOpaque(), mask)
  }

  /// Addresses are multiples of 16, and those of objects made one after the other differ by little.
  @inline(__always)
  private static func home(of object: UnsafeMutableRawPointer, _ mask: Int) -> Int {
    let address = UInt64(UInt(bitPattern: object))
    return Int(truncatingIfNeeded: (address >> 4 &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  /// Frees a place and closes the gap, so that no look-up stops short.
  private mutating func vacate(_ place: Int) {
    var gap = place
    var next = (gap + 1) & mask
    while let object = entries[next] {
      if (next - home(of: object)) & mask >= (next - gap) & mask {
        entries[gap] = object
        gap = next
      }
      next = (next + 1) & mask
    }
    entries[gap] = nil
  }

  private mutating func makeRoom(for count: Int) {
    guard count * 3 > entries.count * 2 else { return }
    var size = Swift.max(4, entries.count)
    while count * 3 > size * 2 { size *= 2 }
    var old = ContiguousArray<NSManagedObject?>(repeating: nil, count: size)
    swap(&old, &entries)
    guard count > 0 else { return }
    move(from: &old)
  }

  /// Puts the objects of other entries, which are free afterwards, into these: nothing is counted.
  private mutating func move(from old: inout ContiguousArray<NSManagedObject?>) {
    old.withUnsafeMutableBufferPointer { old in
      old.withMemoryRebound(to: UnsafeMutableRawPointer?.self) { old in
        entries.withUnsafeMutableBufferPointer { entries in
          entries.withMemoryRebound(to: UnsafeMutableRawPointer?.self) { entries in
            for index in old.indices {
              guard let object = old[index] else { continue }
              entries[Self.place(of: object, in: UnsafeBufferPointer(entries))] = object
              old[index] = nil
            }
          }
        }
      }
    }
  }
}
