/// Converts the values of a transformable attribute to data and back.
///
/// A custom transformer transforms values to data, and data to values in reverse. Transformers that
/// unarchive work in the opposite direction, as their name says. Without a transformer values are
/// archived; an unarchived value must be of a property-list class or of the attribute's value
/// class.
///
/// Sendable: immutable, and a registered transformer may be used on any thread.
package struct TransformableCodec: @unchecked Sendable {
  package let name: String
  private let transformer: ValueTransformer?
  private let unarchives: Bool
  private let attribute: NSAttributeDescription

  private static let unarchivers: Set<String> = [
    NSValueTransformerName.unarchiveFromDataTransformerName.rawValue,
    NSValueTransformerName.keyedUnarchiveFromDataTransformerName.rawValue,
  ]

  package init(_ attribute: NSAttributeDescription) {
    self.attribute = attribute
    let given = attribute.valueTransformerName ?? ""
    name = given.isEmpty ? "a keyed archive" : given
    transformer =
      given.isEmpty ? nil : ValueTransformer.registered(forName: NSValueTransformerName(given))
    unarchives =
      Self.unarchivers.contains(given) || transformer is NSSecureUnarchiveFromDataTransformer
  }

  private var archivesPlainly: Bool { attribute.valueTransformerName?.isEmpty ?? true }

  package func encode(_ object: AnyObject) -> Data? {
    if archivesPlainly {
      // The caller reports nil together with the attribute. Foundation's archiver would stop the
      // program.
      guard Self.canBeArchived(object) else { return nil }
      return try? NSKeyedArchiver.archivedData(
        withRootObject: object, requiringSecureCoding: false)
    }
    let value =
      unarchives
      ? transformer?.reverseTransformedValue(object) : transformer?.transformedValue(object)
    return value as? Data ?? (value as? NSData).map { Data(referencing: $0) }
  }

  /// Why a value could not be made into data, for an error.
  package func refusal(of object: AnyObject) -> String {
    guard transformer != nil || archivesPlainly else {
      return "no transformer is registered under the name \(name), and no class of a target with "
        + "the plugin has it. Call ValueTransformer.setValueTransformer(_:forName:) before the "
        + "store is opened."
    }
    return "its transformer (\(name)) does not take a \(type(of: object))."
  }

  private static func canBeArchived(_ object: Any) -> Bool {
    switch object {
    case let list as NSArray: list.allSatisfy(canBeArchived)
    case let set as NSSet: set.allSatisfy(canBeArchived)
    case let set as NSOrderedSet: set.array.allSatisfy(canBeArchived)
    case let table as NSDictionary:
      table.allSatisfy { canBeArchived($0.key) && canBeArchived($0.value) }
    default: object as AnyObject is any NSCoding
    }
  }

  /// The value, or an ``UndecodedValue`` with the data and the reason.
  package func decode(_ data: Data) -> AnyObject {
    if archivesPlainly { return unarchived(data) }
    if unarchives, !ArchiveCheck.isWhole(data, allowing: nil) { return damaged(data) }
    guard let transformer else {
      return undecoded(data, why: "no transformer is registered under the name \(name)")
    }
    let value =
      unarchives
      ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    guard let value else { return undecoded(data, why: "its transformer \(name) gives nothing") }
    return value as AnyObject
  }

  private func unarchived(_ data: Data) -> AnyObject {
    let allowedClasses = allowedClasses
    guard ArchiveCheck.isWhole(data, allowing: allowedClasses) else {
      guard ArchiveCheck.isWhole(data, allowing: nil) else { return damaged(data) }
      let names = allowedClasses.map { "\($0)" }.joined(separator: ", ")
      return undecoded(data, why: "the archive has objects of a class that is none of \(names)")
    }
    do {
      let value = try NSKeyedUnarchiver.unarchivedObject(ofClasses: allowedClasses, from: data)
      guard let value else { return undecoded(data, why: "the archive is empty") }
      return value as AnyObject
    } catch {
      return undecoded(data, why: "\(error.localizedDescription)")
    }
  }

  private var allowedClasses: [(NSObject & NSSecureCoding).Type] {
    let given: AnyClass? = attribute.attributeValueClassName.flatMap(ArchiveCheck.unarchivedClass)
    let all =
      NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses + (given.map { [$0] } ?? [])
    return all.compactMap { $0 as? (NSObject & NSSecureCoding).Type }
  }

  private func damaged(_ data: Data) -> UndecodedValue {
    undecoded(data, why: "it is no keyed archive, or a damaged one")
  }

  private func undecoded(_ data: Data, why: String) -> UndecodedValue {
    UndecodedValue(
      data: data, reason: "The value of “\(attribute.name)” could not be read: \(why).")
  }
}

/// Stored bytes that could not be converted to a value, in the value's place in a row. Reading it
/// reports the reason; a save writes the bytes back unchanged.
package final class UndecodedValue: NSObject, Sendable {
  package let data: Data
  package let reason: String

  init(data: Data, reason: String) {
    self.data = data
    self.reason = reason
  }

  /// Stands for external data whose file cannot be read.
  convenience init(missing external: ExternalData) {
    self.init(
      data: external.reference,
      reason: "The external data \(external.name.uuidString) are not where the store says they are."
    )
  }

  package override var description: String { "<\(reason)>" }
  package override var hash: Int { data.hashValue }

  package override func isEqual(_ object: Any?) -> Bool {
    ((object as? UndecodedValue)?.data ?? (object as? ExternalData)?.reference) == data
  }
}
