import CoreData

/// A hero, with a public name and a secret one.
#if canImport(ObjectiveC)
  @objc(Hero) @objcMembers
#endif
public class Hero: NSManagedObject {
  /// The public name.
  @NSManaged public var name: String?
  /// The secret name.
  @NSManaged public var secretIdentity: String?
  /// The sex, as typed.
  @NSManaged public var sex: String?
  /// The day of birth, at midnight in Greenwich.
  @NSManaged public var birthday: Date?

  /// A request for all heroes.
  public class func fetchRequest() -> NSFetchRequest<Hero> {
    NSFetchRequest<Hero>(entityName: "Hero")
  }

  /// The age in whole years; 0 without a birthday. Computed: the model has it as a transient
  /// attribute, the store does not.
  public var age: Int16 {
    guard let birthday else { return 0 }
    return Int16(
      clamping: Self.calendar.dateComponents([.year], from: birthday, to: .now).year ?? 0)
  }

  /// Greenwich time, since birthdays are days independent of time zones.
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

  /// The first scalar. Letters with accents and small letters are distinct, as in the store's
  /// order, so that each section is contiguous.
  private static func initial(_ text: String?) -> String {
    text?.unicodeScalars.first.map { String($0) } ?? "– None –"
  }
}
