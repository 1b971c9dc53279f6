import CoreData
import ListApplication

// Typed values of an employee.
extension Employee {
  /// Applies typed values; nil leaves a value unchanged.
  /// - Throws: ``Refusal`` if a value is invalid; nothing is changed then.
  func take(name: String?, height: String?, birthday: String?, department: String?) throws {
    if name == "" { throw Refusal("The name is empty.") }
    let metres = try height.map(Self.metres)
    let day = try birthday.map(Self.day)
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

  private static func metres(_ text: String) throws -> Float {
    if text.isEmpty { throw Refusal("The height is empty.") }
    let plain = Numeral.plain(text).replacingOccurrences(of: ",", with: ".")
    guard let height = Float(plain), heights.contains(height) else {
      throw Refusal(
        "“\(text)” is no height in metres, from \(heights.lowerBound) to \(heights.upperBound).")
    }
    return height
  }

  private static func day(_ text: String) throws -> Date {
    if text.isEmpty { throw Refusal("The birthday is empty.") }
    guard let day = Day.date(text) else {
      throw Refusal("“\(text)” is no day such as 1984-05-27.")
    }
    return day
  }

  /// The values as texts, in the order of the form's fields.
  var texts: [String] { [name ?? "", heightText, birthdayText, department?.name ?? ""] }

  var birthdayText: String { birthday.map(Day.text) ?? "" }
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
