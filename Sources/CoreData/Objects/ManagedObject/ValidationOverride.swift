/// Whether a class of managed objects checks values in a `validateValue(_:forKey:)` of its own.
///
/// Where it does not, nobody sees the values that a save validates, and the model's rules are checked on the row
/// itself, without boxing each value of each object. The answer is read from the table of methods that every
/// class has in its metadata: a class that does not override a method has its superclass's entry there.
///
///     NSManagedObject   │ … │ a │ validateValue │ b │ … │
///     Plain             │ … │ a │ validateValue │ b │ … │   overrides nothing
///     Validating        │ … │ a │ its own       │ b │ … │   differs in one entry: that is the place
///
/// Should the place not be found in this way, every class counts as one that overrides the method.
package enum ValidationOverride {
  package static func exists(in type: NSManagedObject.Type) -> Bool {
    guard let place else { return true }
    return entries(of: type)[place] != inherited
  }

  private static let place: Int? = {
    let base = entries(of: NSManagedObject.self)
    let plain = entries(of: Plain.self)
    let validating = entries(of: Validating.self)
    let places = (Header.words..<countOfEntries).filter {
      base[$0] == plain[$0] && base[$0] != validating[$0]
    }
    return places.count == 1 ? places[0] : nil
  }()

  private static let inherited = place.map { entries(of: NSManagedObject.self)[$0] }

  private final class Plain: NSManagedObject {}

  private final class Validating: NSManagedObject {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
      throw CoreDataError.make(
        .managedObjectValidation, reason: "Not meant to be called for \(key)")
    }
  }

  // MARK: - Class metadata

  /// What precedes the entries: kind, superclass, flags and the address point, sizes, the metadata's own size
  /// and address point, descriptor, destroyer of instance variables.
  private enum Header {
    static let words = 7
    /// The word with the metadata's size in bytes, and how many of them lie before the address point.
    static let size = 4
  }

  // Sound because class metadata lie in static or immortal memory, at least as long as `Header` and those of
  // every superclass, and are read only.
  private static func entries(of type: NSManagedObject.Type) -> UnsafePointer<UInt> {
    unsafeBitCast(type as AnyClass, to: UnsafePointer<UInt>.self)
  }

  private static let countOfEntries: Int = {
    let sizes = entries(of: NSManagedObject.self)[Header.size]
    let (size, addressPoint) = (sizes & 0xFFFF_FFFF, sizes >> 32)
    return Int(size - addressPoint) / MemoryLayout<UInt>.size
  }()
}
