import CoreData

/// As it is written for Apple's systems, where Objective-C finds methods by their names.
class Contact: NSManagedObject {
  @NSManaged var firstName: String?
  @NSManaged var lastName: String?
  @NSManaged var age: Int16
  @NSManaged var note: String?

  var fullName: String { [firstName, lastName].compactMap { $0 }.joined(separator: " ") }

  var initials: String {
    guard let firstName, let lastName else { return "" }
    return "\(firstName.prefix(1))\(lastName.prefix(1))"
  }

  class func keyPathsForValuesAffectingFullName() -> Set<String> { ["firstName", "lastName"] }

  class var keyPathsForValuesAffectingInitials: Set<String> { ["firstName", "lastName"] }

  /// Puts another value in the place of the one that it checks, and refuses one.
  func validateFirstName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard let name = value.pointee as? String else { return }
    if name == "refused" { throw CocoaError(.managedObjectValidation) }
    value.pointee = name.trimmingCharacters(in: .whitespaces) as NSString
  }
}

/// Checks all its values in one method, in the form that Apple's has.
class StrictContact: Contact {
  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    if key == "age", let age = value.pointee as? Int, age < 0 {
      throw CocoaError(.validationNumberTooSmall)
    }
    if key == "note", value.pointee == nil { value.pointee = "none" as NSString }
    try super.validateValue(value, forKey: key)
  }
}

/// What much public code declares.
protocol Fetched: AnyObject, NSFetchRequestResult {
  static var entityName: String { get }
}

extension Fetched where Self: NSManagedObject {
  static func all(in context: NSManagedObjectContext) throws -> [Self] {
    try context.fetch(NSFetchRequest<Self>(entityName: entityName))
  }
}

extension NSFetchRequestResult where Self: NSManagedObject {
  static func first(in context: NSManagedObjectContext) throws -> Self? {
    let request = Self.fetchRequest()
    request.fetchLimit = 1
    return try context.fetch(request).first
  }
}

extension Contact: Fetched {
  static var entityName: String { "Contact" }
}

extension NSManagedObject {
  static func count<T: NSManagedObject>(of type: T.Type, _ context: NSManagedObjectContext) throws
    -> Int
  {
    let request: NSFetchRequest<NSFetchRequestResult> = T.fetchRequest()
    return try context.count(for: request)
  }
}
