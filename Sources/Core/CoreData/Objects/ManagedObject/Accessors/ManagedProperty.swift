import Synchronization

/// The name of a property with a cache of its place in the last layout, through which `@NSManaged`
/// accessors access values.
///
/// The cache is one atomic word, `layout serial << 32 | place`, so that threads may share it. An
/// entity with another layout replaces it.
public final class ManagedProperty: Sendable {
  /// The name of the property.
  public let name: String
  private let memory = Atomic<UInt64>(0)

  /// Makes a property with an empty cache.
  public init(_ name: String) { self.name = name }

  private static let toManyBit: UInt32 = 1 << 31
  private static let compositeBit: UInt32 = 1 << 30
  private static let fetchedBit: UInt32 = 1 << 29

  /// The slot of an attribute or to-one relationship; nil for other properties.
  @inline(__always)
  func slot(in layout: EntityLayout) -> Int? {
    let place = place(in: layout)
    return place < Self.fetchedBit ? Int(place) : nil
  }

  /// The number of a composite attribute; nil for other properties.
  func composite(in layout: EntityLayout) -> Int? {
    let place = place(in: layout)
    return place & Self.compositeBit == 0 ? nil : Int(place & ~Self.compositeBit)
  }

  /// The number of a fetched property; nil for other properties.
  func fetched(in layout: EntityLayout) -> Int? {
    let place = place(in: layout)
    return place & Self.fetchedBit == 0 ? nil : Int(place & ~Self.fetchedBit)
  }

  /// The number of a to-many relationship; nil for other properties.
  func toMany(in layout: EntityLayout) -> Int? {
    let place = place(in: layout)
    return place & Self.toManyBit == 0 ? nil : Int(place & ~Self.toManyBit)
  }

  @inline(__always)
  private func place(in layout: EntityLayout) -> UInt32 {
    let known = memory.load(ordering: .relaxed)
    if UInt32(known >> 32) == layout.serial { return UInt32(truncatingIfNeeded: known) }
    return lookUp(layout)
  }

  private func lookUp(_ layout: EntityLayout) -> UInt32 {
    let place: UInt32
    switch layout.place(of: name) {
    case .slot(let slot): place = UInt32(slot)
    case .composite(let index): place = UInt32(index) | Self.compositeBit
    case .toMany(let index): place = UInt32(index) | Self.toManyBit
    case .fetched(let index): place = UInt32(index) | Self.fetchedBit
    case nil where layout.answersAnyName: place = 0
    case nil:
      fatalError(
        "The class declares @NSManaged \(name), and the entity “\(layout.entity.name ?? "")” "
          + "has no property of that name. It has: \(layout.slots.map(\.name).sorted()).")
    }
    memory.store(UInt64(layout.serial) << 32 | UInt64(place), ordering: .relaxed)
    return place
  }
}
