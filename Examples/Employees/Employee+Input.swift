import CoreData
import ListApplication

// Typed values of an employee.
extension Employee {
  /// Applies typed values; nil leaves a value unchanged.
  ///
  /// - Parameter locale: the reader's, for numbers in messages.
  /// - Throws: ``Refusals`` if values are invalid; nothing is changed then.
  func take(
    name: String?, height: String?, birthday: String?, department: String?,
    locale: Locale = .current
  ) throws {
    var refusals = Refusals()
    if name == "" { refusals.add("The name is empty.", to: "name") }
    let metres = try refusals.value(of: "height") {
      try height.map { try Self.metres($0, in: locale) }
    }
    let day = try refusals.value(of: "birthday") { try birthday.map(Self.day) }
    try refusals.throwIfAny()
    // Fetched before anything changes, so that all changes are in one notification.
    let group = try department.map { name in
      try managedObjectContext.flatMap { try Department.named(name, in: $0) }
    }
    if let name { self.name = name }
    if let metres { self.height = metres }
    if let day {
      self.birthday = day
      deriveValues()
    }
    if let group { self.department = group }
  }

  private static let heights: ClosedRange<Float> = 0.4...2.8

  private static func metres(_ text: String, in locale: Locale) throws -> Float {
    if text.isEmpty { throw Refusal("The height is empty.") }
    let (least, most) = (heights.lowerBound, heights.upperBound)
    let limits = [least, most].map { Numeral.words("\($0)", in: locale) ?? "\($0)" }
    guard let plain = Numeral.decimal(text), let height = Float(plain) else {
      throw Refusal("“\(text)” is no height in metres, from \(limits[0]) to \(limits[1]).")
    }
    // The form hands over a plain number, such as 3.0 for 3.
    let typed = Numeral.words(plain, in: locale, fraction: 15) ?? text
    if height < least { throw Refusal("“\(typed)” is too low: at least \(limits[0]) metres.") }
    if height > most { throw Refusal("“\(typed)” is too high: at most \(limits[1]) metres.") }
    return height
  }

  private static func day(_ text: String) throws -> Date {
    if text.isEmpty { throw Refusal("The birthday is empty.") }
    return try Day.birthday(text)
  }

  /// The values as texts, in the order of the form's fields.
  var texts: [String] { [name ?? "", heightText, birthdayText, department?.name ?? ""] }

  var birthdayText: String { birthday.map(Day.text) ?? "" }
  /// The height in metres, to the centimetre.
  var heightText: String { "\((height * 100).rounded() / 100)" }

  /// The section of a birthday: its decade, as 1980s.
  static func sectionName(of birthday: Date) -> String {
    String(Day.text(birthday).prefix(3)) + "0s"
  }
}

extension Employee: DerivingObject {
  package func deriveValues() {
    let name = birthday.map(Self.sectionName)
    if sectionName != name { sectionName = name }
  }
}

extension Department {
  /// The department with a name, created if there is none; nil for an empty name.
  static func named(_ name: String, in context: NSManagedObjectContext) throws -> Department? {
    guard !name.isEmpty else { return nil }
    let request = fetchRequest()
    request.predicate = NSPredicate(format: "name = %@", name)
    request.fetchLimit = 1
    if let department = try context.fetch(request).first { return department }
    let department = Department(context: context)
    department.name = name
    return department
  }
}
