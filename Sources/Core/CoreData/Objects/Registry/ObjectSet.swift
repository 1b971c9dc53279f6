/// A set of managed objects, compared by identity.
///
///     entries: ┌ · │ a │ c │ · │ b │ · … ┐   an object is at its address's index or the next free
///
/// `Set<NSManagedObject>` calls each object's `hash`, mixes it with a keyed hash function and
/// compares neighbours with `isEqual`. For the hundred thousand members that an edit may move, that
/// takes most of the time.
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

  /// Removes an object; returns it if it was in the set.
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

  // MARK: - Entries

  private var mask: Int { entries.count - 1 }

  /// The index of the object, or of the free element where it belongs. Retains no elements.
  private func place(of object: NSManagedObject) -> Int {
    // Sound: an optional reference has the layout of an optional pointer; only addresses are
    // compared.
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

  // Sound: only the address is used.
  private func home(of object: NSManagedObject) -> Int {
    Self.home(of: Unmanaged.passUnretained(object).toOpaque(), mask)
  }

  /// The first index to try. Addresses are multiples of 16, and consecutive objects have close
  /// addresses.
  @inline(__always)
  private static func home(of object: UnsafeMutableRawPointer, _ mask: Int) -> Int {
    let address = UInt64(UInt(bitPattern: object))
    return Int(truncatingIfNeeded: (address >> 4 &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  /// Frees an element and closes the gap, so that no look-up stops too early.
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

  /// Moves the objects of `old` into `entries` without retaining them; `old` is empty afterwards.
  private mutating func move(from old: inout ContiguousArray<NSManagedObject?>) {
    // Sound: an optional reference has the layout of an optional pointer, and each reference moves.
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
