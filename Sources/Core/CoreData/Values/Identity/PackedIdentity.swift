import Synchronization

/// An object's identity in 64 bits, unique within a coordinator. Large structures, such as a
/// context's registry or a fetched results controller's tree, hold it instead of an object ID.
///
///     bit 63      temporary: the key is a number of this process; the object was never saved
///     bits 56–62  the store's ordinal in its coordinator (0 when temporary)
///     bits 40–55  the entity's number in its model (``EntityLayout/number``)
///     bits 0–39   the key: the primary key in the store, from 1
package struct PackedIdentity: Hashable, Sendable {
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  package init(storeOrdinal: Int, entityNumber: Int, key: Int64) {
    precondition(key > 0 && key < 1 << 40, "Primary key \(key) is outside 1 ..< 2^40")
    bits = UInt64(storeOrdinal) << 56 | UInt64(entityNumber) << 40 | UInt64(key)
  }

  package init(temporaryKey key: Int64, entityNumber: Int) {
    bits = 1 << 63 | UInt64(entityNumber) << 40 | UInt64(key)
  }

  /// Makes the identity of a new object.
  static func nextTemporary(_ layout: EntityLayout) -> PackedIdentity {
    let key = nextTemporaryKey.wrappingAdd(1, ordering: .relaxed).newValue
    return PackedIdentity(temporaryKey: key, entityNumber: layout.number)
  }

  private static let nextTemporaryKey = Atomic<Int64>(0)

  /// The identity of an object without one yet.
  static let none = PackedIdentity(bits: 0)

  package var isTemporary: Bool { bits >> 63 == 1 }
  package var storeOrdinal: Int { Int(bits >> 56) & 0x7F }
  package var entityNumber: Int { Int(bits >> 40) & 0xFFFF }
  package var key: Int64 { Int64(bits & 0xFF_FFFF_FFFF) }
}

extension PackedIdentity {
  /// Orders objects with equal sort keys: saved ones by store and primary key, as a fetch does,
  /// then unsaved ones in the order of their creation.
  package var tieOrder: UInt64 { bits & ~(0xFFFF << 40) }
}
