import CoreData
import ListApplication

// What a person types about an employee.
extension Employee {
  /// Takes over what was typed, or nothing when some of it makes no sense.
  func take(name: String, height: String, birthday: String, department: String) throws {
    guard !name.isEmpty else { throw Refusal("The name is empty.") }
    guard let height = Float(height), (0.4...2.8).contains(height) else {
      throw Refusal("“\(height)” is no height in metres.")
    }
    guard let birthday = Day.date(birthday) else {
      throw Refusal("“\(birthday)” is no day such as 1984-05-27.")
    }
    // Fetched before anything changes, so that all changes are told of together.
    let department = try managedObjectContext.flatMap { try Department.named(department, in: $0) }
    self.name = name
    self.height = height
    self.birthday = birthday
    sectionName = Self.sectionName(of: birthday)
    self.department = department
  }

  var birthdayText: String { birthday.map(Day.text) ?? "" }
  var heightText: String { "\((height * 100).rounded() / 100)" }

  /// Employees stand together with those of their decade.
  static func sectionName(of birthday: Date) -> String {
    String(Day.text(birthday).prefix(3)) + "0s"
  }
}

extension Department {
  /// The department of a name, made when there is none; nil for an empty name.
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
