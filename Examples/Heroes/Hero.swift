import CoreData

/// A hero, under the name that everybody knows and the one that nobody does.
#if canImport(ObjectiveC)
  @objc(Hero) @objcMembers
#endif
public class Hero: NSManagedObject {
  @NSManaged public var name: String?
  @NSManaged public var secretIdentity: String?
  @NSManaged public var sex: String?
  @NSManaged public var birthday: Date?

  public class func fetchRequest() -> NSFetchRequest<Hero> {
    NSFetchRequest<Hero>(entityName: "Hero")
  }

  /// In whole years; 0 without a birthday. It is in the model and in no store: computed when asked.
  public var age: Int16 {
    guard let birthday else { return 0 }
    return Int16(
      clamping: Self.calendar.dateComponents([.year], from: birthday, to: .now).year ?? 0)
  }

  /// Birthdays are days, whatever the time zone.
  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  // MARK: - Sections

  /// The section in the list by name.
  public var nameInitial: String { Self.initial(name) }
  /// The section in the list by secret identity.
  public var secretIdentityInitial: String { Self.initial(secretIdentity) }

  /// The first letter. Just as the store sorts it, so that equal ones stand together: a letter with
  /// its accent is another one, and so is a small one.
  private static func initial(_ text: String?) -> String {
    text?.unicodeScalars.first.map { String($0) } ?? "– None –"
  }
}
