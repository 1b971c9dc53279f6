import CoreData

/// Generates sample employees, identical for each call.
enum Roster {
  private static let firstNames = [
    "Ada", "Bruno", "Clara", "Dario", "Elena", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Katya",
    "Leo", "Mira", "Nils", "Olga", "Pavel", "Rosa",
  ]
  private static let lastNames = [
    "Abbot", "Brandt", "Costa", "Duval", "Eriksen", "Fontana", "Gruber", "Horvat", "Ivanova",
    "Jansen", "Keller", "Lindqvist", "Moreau",
  ]
  private static let departments = ["Accounts", "Design", "Kitchen", "Research", "Workshop"]

  /// Adds `count` employees to an empty store.
  static func fill(_ context: NSManagedObjectContext, _ count: Int) throws {
    guard try context.count(for: Employee.fetchRequest()) == 0 else { return }
    for start in stride(from: 0, to: count, by: 10_000) {
      try add(min(10_000, count - start), after: start, to: context)
      try context.save()
      // Bounds memory.
      context.reset()
    }
  }

  /// Adds `count` more employees.
  @discardableResult
  static func addPage(of count: Int, to context: NSManagedObjectContext) throws -> [Employee] {
    try add(count, after: context.count(for: Employee.fetchRequest()), to: context)
  }

  @discardableResult
  private static func add(
    _ count: Int, after start: Int, to context: NSManagedObjectContext
  ) throws -> [Employee] {
    let departments = try departments.map { try Department.named($0, in: context) }
    return (start..<start + count).map { number in
      let employee = Employee(context: context)
      employee.name = name(number)
      employee.height = Float(150 + number * 29 % 47) / 100
      let birthday = birthday(number)
      employee.birthday = birthday
      employee.sectionName = Employee.sectionName(of: birthday)
      employee.department = departments[number * 3 % departments.count]
      return employee
    }
  }

  private static func name(_ number: Int) -> String {
    let name = "\(firstNames[number % firstNames.count]) \(lastNames[number % lastNames.count])"
    let round = number / (firstNames.count * lastNames.count)
    return round == 0 ? name : "\(name) \(round + 1)"
  }

  /// A day between 1960 and 2000.
  private static func birthday(_ number: Int) -> Date {
    Date(timeIntervalSince1970: Double(number * 1009 % 14_600 - 3653) * 86_400)
  }
}
