import CoreData
import CoreDataSupport

/// Departments with employees and their tasks, which are in an order: rules, a Deny rule, a fetched
/// property, transformable and transient attributes.
enum CompanyModel {
  static func make() -> NSManagedObjectModel {
    ManagedObjectClasses.register("Employee", module: "CoreDataSamples", type: Employee.self) {
      Employee(entity: $0, insertInto: $1)
    }
    let department = NSEntityDescription()
    department.name = "Department"
    let employee = NSEntityDescription()
    employee.name = "Employee"
    employee.managedObjectClassName = "Employee"
    let task = NSEntityDescription()
    task.name = "Task"
    let (staff, employer) = ModelPart.relate(employee, "department", 1, department, "staff", 3)
    employer.deleteRule = .denyDeleteRule
    employer.minCount = 0
    let (tasks, owner) = ModelPart.relate(employee, "tasks", 0, task, "owner", 1)
    tasks.isOrdered = true
    tasks.deleteRule = .cascadeDeleteRule
    let (projects, members) = ModelPart.relate(employee, "projects", 0, task, "members", 0)
    projects.isOrdered = true
    department.properties = [
      ModelPart.attribute("name", isOptional: false), employer, veterans(),
    ]
    employee.properties = employeeAttributes() + [staff, tasks, projects]
    task.properties = [ModelPart.attribute("title"), owner, members]
    return ModelPart.model([department, employee, task])
  }

  private static func employeeAttributes() -> [NSPropertyDescription] {
    let salary = ModelPart.attribute("salary", .integer32AttributeType, default: 0)
    salary.setValidationPredicates(
      [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["A salary below zero"])
    let nickname = ModelPart.attribute("nickname")
    nickname.setValidationPredicates(
      [NSPredicate(format: "length >= 2"), NSPredicate(format: "length <= 5")],
      withValidationWarnings: [NSNumber(value: 1670), NSNumber(value: 1660)])
    let mood = ModelPart.attribute("mood", default: "calm")
    mood.isTransient = true
    let tags = ModelPart.attribute("tags", .transformableAttributeType)
    return [
      ModelPart.attribute("name", isOptional: false),
      ModelPart.attribute("hired", .dateAttributeType), salary, nickname, mood, tags,
    ]
  }

  /// The staff by name that earns at least what the property's user info says.
  private static func veterans() -> NSFetchedPropertyDescription {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Employee")
    request.predicate = NSPredicate(
      format: "department == $FETCH_SOURCE AND salary >= $FETCHED_PROPERTY.userInfo.least")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let property = NSFetchedPropertyDescription()
    property.name = "veterans"
    property.fetchRequest = request
    property.userInfo = ["least": NSNumber(value: 100)]
    return property
  }
}

/// Writes down what is called, and does what a test wants done there.
final class Employee: NSManagedObject {
  var calls: [String] = []
  var onWillSave: ((Employee) -> Void)?
  var onDidSave: ((Employee) -> Void)?
  var onAwakeFromInsert: ((Employee) -> Void)?
  var rule: ((inout Any?, String) throws -> Void)?
  var wholeRule: ((Employee) throws -> Void)?

  var name: String? {
    get { value(forKey: "name") as? String }
    set { setValue(newValue, forKey: "name") }
  }

  override func awakeFromInsert() {
    calls.append("awakeFromInsert")
    setPrimitiveValue("new", forKey: "nickname")
  }
  override func awakeFromFetch() { calls.append("awakeFromFetch") }
  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    calls.append("awake \(flags.rawValue)")
  }
  override func prepareForDeletion() { calls.append("prepareForDeletion") }
  override func willTurnIntoFault() { calls.append("willTurnIntoFault") }
  override func didTurnIntoFault() { calls.append("didTurnIntoFault") }

  override func willSave() {
    calls.append("willSave")
    onWillSave?(self)
  }

  override func didSave() {
    calls.append("didSave")
    onDidSave?(self)
  }

  override func validateValue(_ value: inout Any?, forKey key: String) throws {
    try rule?(&value, key)
    try super.validateValue(&value, forKey: key)
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    try wholeRule?(self)
  }
}

extension NSManagedObjectContext {
  func hire(_ name: String, salary: Int = 0) throws -> Employee {
    let object = insert("Employee", ["name": name, "salary": salary])
    guard let employee = object as? Employee else { throw CocoaError(.featureUnsupported) }
    return employee
  }

  func employees() throws -> [Employee] {
    let request = NSFetchRequest<Employee>(entityName: "Employee")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try fetch(request)
  }
}

extension TestStack {
  static func company(_ kind: StoreKind = .inMemory) throws -> TestStack {
    try TestStack(kind, model: CompanyModel.make())
  }
}

extension TestStack {
  /// Runs `body` with an employee who is saved.
  static func withEmployee(
    _ body: (NSManagedObjectContext, Employee) throws -> Void
  ) throws {
    try company().withContext { context in
      let employee = try context.hire("Ann", salary: 1)
      try context.save()
      try body(context, employee)
    }
  }
}
