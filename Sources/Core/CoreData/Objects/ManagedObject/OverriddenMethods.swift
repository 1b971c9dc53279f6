/// The methods called by a save that a class of managed objects overrides.
///
/// A method that no class overrides is not called for each of a hundred thousand objects. If
/// `validateValue(_:forKey:)` is not overridden, the model's rules are checked on the row itself,
/// without boxing each value. The answer is read from the method table in the class metadata: a
/// class that does not override a method has its superclass's entry there.
///
///     NSManagedObject   │ … │ a │ willSave │ b │ … │
///     Plain             │ … │ a │ willSave │ b │ … │   overrides nothing
///     OwnWillSave       │ … │ a │ its own  │ b │ … │   differs in one entry: the method's
///
/// If the entry cannot be identified in this way, every class counts as overriding the method.
package struct OverriddenMethods: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let validateValue = OverriddenMethods(rawValue: 1)
  package static let validateForInsert = OverriddenMethods(rawValue: 2)
  package static let validateForUpdate = OverriddenMethods(rawValue: 4)
  package static let validateForDelete = OverriddenMethods(rawValue: 8)
  package static let willSave = OverriddenMethods(rawValue: 16)
  package static let didSave = OverriddenMethods(rawValue: 32)
  package static let validateByPointer = OverriddenMethods(rawValue: 64)

  package init(of type: NSManagedObject.Type) {
    let entries = Self.entries(of: type)
    self = []
    for entry in Self.known where entry.isOverridden(in: entries) { insert(entry.method) }
  }

  private struct Entry {
    let method: OverriddenMethods
    let place: Int?
    let inherited: UInt

    func isOverridden(in entries: UnsafePointer<UInt>) -> Bool {
      place.map { entries[$0] != inherited } ?? true
    }
  }

  private static let known: [Entry] = [
    entry(.validateValue, overriding: OwnValidateValue.self),
    entry(.validateForInsert, overriding: OwnInsertCheck.self),
    entry(.validateForUpdate, overriding: OwnUpdateCheck.self),
    entry(.validateForDelete, overriding: OwnDeleteCheck.self),
    entry(.willSave, overriding: OwnWillSave.self), entry(.didSave, overriding: OwnDidSave.self),
    entry(.validateByPointer, overriding: OwnPointerCheck.self),
  ]

  private static func entry(
    _ method: OverriddenMethods, overriding: NSManagedObject.Type
  ) -> Entry {
    let (base, plain) = (entries(of: NSManagedObject.self), entries(of: Plain.self))
    let own = entries(of: overriding)
    let places = (Header.words..<countOfEntries).filter {
      base[$0] == plain[$0] && base[$0] != own[$0]
    }
    guard places.count == 1 else { return Entry(method: method, place: nil, inherited: 0) }
    return Entry(method: method, place: places[0], inherited: base[places[0]])
  }

  // MARK: - Classes that override one method each, without instances

  private final class Plain: NSManagedObject {}

  private final class OwnValidateValue: NSManagedObject {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
      throw OverriddenMethods.unexpected
    }
  }

  private final class OwnPointerCheck: NSManagedObject {
    override func validateValue(
      _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
    ) throws { throw OverriddenMethods.unexpected }
  }

  private final class OwnInsertCheck: NSManagedObject {
    override func validateForInsert() throws { throw OverriddenMethods.unexpected }
  }

  private final class OwnUpdateCheck: NSManagedObject {
    override func validateForUpdate() throws { throw OverriddenMethods.unexpected }
  }

  private final class OwnDeleteCheck: NSManagedObject {
    override func validateForDelete() throws { throw OverriddenMethods.unexpected }
  }

  private final class OwnWillSave: NSManagedObject {
    override func willSave() { preconditionFailure("Not meant to be called") }
  }

  private final class OwnDidSave: NSManagedObject {
    override func didSave() { preconditionFailure("Not meant to be called") }
  }

  private static var unexpected: NSError {
    CoreDataError.make(.managedObjectValidation, reason: "Not meant to be called")
  }

  // MARK: - Class metadata

  /// The words before the entries: kind, superclass, flags and address point, instance sizes,
  /// metadata size and address point, descriptor, destroyer of instance variables.
  private enum Header {
    static let words = 7
    /// The word with the metadata's size in bytes and the number of bytes before the address point.
    static let size = 4
  }

  // Sound: class metadata lie in static or immortal memory, are at least as long as `Header` and
  // the metadata of every superclass, and are only read here.
  private static func entries(of type: NSManagedObject.Type) -> UnsafePointer<UInt> {
    unsafeBitCast(type as AnyClass, to: UnsafePointer<UInt>.self)
  }

  private static let countOfEntries: Int = {
    let sizes = entries(of: NSManagedObject.self)[Header.size]
    let (size, addressPoint) = (sizes & 0xFFFF_FFFF, sizes >> 32)
    return Int(size - addressPoint) / MemoryLayout<UInt>.size
  }()
}
