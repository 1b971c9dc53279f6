import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// Properties of a class's own making that are observed by key paths of Swift: those that the plugin gives their names, and
/// others, which are observed by what their getters read.
@Suite struct ComputedPropertyTests {
  private func withPerson(_ body: (Person, Person) throws -> Void) throws {
    let stack = try TestStack(.inMemory, model: Person.model())
    try stack.withContext { context in
      let (ann, bob) = (Person(context: context), Person(context: context))
      ann.firstName = "Ann"
      bob.firstName = "Bob"
      bob.boss = ann
      try context.save()
      try body(ann, bob)
    }
  }

  @Test func aNamedPropertyIsToldOfWhatItsClassSays() throws {
    try withPerson { ann, _ in
      let told = Told<[String]>([])
      let observation = ann.observe(\.fullName, options: [.old, .new]) { _, change in
        told.value.append("\(change.oldValue ?? "?") > \(change.newValue ?? "?")")
      }
      ann.lastName = "Lee"
      ann.firstName = "Anna"
      ann.note = "unrelated"
      observation.invalidate()
      ann.lastName = "Loo"
      #expect(told.value == ["Ann  > Ann Lee", "Ann Lee > Anna Lee"])
    }
  }

  @Test func aPropertyWithoutANameIsToldOfWhatItReads() throws {
    try withPerson { ann, bob in
      let told = Told<[String]>([])
      let observations = [
        ann.observe(\.initials, options: [.initial, .new]) { _, change in
          told.value.append(change.newValue ?? "?")
        },
        bob.observe(\.bossName, options: [.old, .new]) { _, change in
          let (old, new) = (change.oldValue ?? nil, change.newValue ?? nil)
          told.value.append("\(old ?? "nil") > \(new ?? "nil")")
        },
      ]
      ann.lastName = "Lee"
      ann.firstName = "Zoe"
      bob.boss = nil
      ann.firstName = "Ann"
      ann.note = "unrelated"
      #expect(
        told.value == ["A", "AL", "Ann > Zoe", "ZL", "Zoe > nil", "AL"].sortedAsTold(told.value))
      withExtendedLifetime(observations) {}
    }
  }
}

extension [String] {
  /// The same strings in the order of others: two observers are told in any order.
  fileprivate func sortedAsTold(_ told: [String]) -> [String] {
    sorted() == told.sorted() ? told : self
  }
}

private final class Person: NSManagedObject {
  static func model() -> NSManagedObjectModel {
    ManagedObjectClasses.register(
      "ComputedPerson", module: "CoreDataObservingTests", type: Person.self,
      getters: ["fullName": { ($0 as! Person).fullName }], keyPaths: ["fullName": \Person.fullName]
    ) { Person(entity: $0, insertInto: $1) }
    let person = NSEntityDescription()
    person.name = "Person"
    person.managedObjectClassName = "ComputedPerson"
    let (boss, staff) = ModelPart.relate(person, "boss", 1, person, "staff", 0)
    person.properties =
      ["firstName", "lastName", "note"].map { ModelPart.attribute($0, .stringAttributeType) }
      + [boss, staff]
    let model = NSManagedObjectModel()
    model.entities = [person]
    return model
  }

  private static let keys = (
    first: ManagedProperty("firstName"), last: ManagedProperty("lastName"),
    note: ManagedProperty("note"), boss: ManagedProperty("boss")
  )

  var firstName: String? {
    get { managedValue(Self.keys.first) }
    set { setManagedValue(newValue, Self.keys.first) }
  }
  var lastName: String? {
    get { managedValue(Self.keys.last) }
    set { setManagedValue(newValue, Self.keys.last) }
  }
  var note: String? {
    get { managedValue(Self.keys.note) }
    set { setManagedValue(newValue, Self.keys.note) }
  }
  var boss: Person? {
    get { managedValue(Self.keys.boss) }
    set { setManagedValue(newValue, Self.keys.boss) }
  }

  var fullName: String { "\(firstName ?? "") \(lastName ?? "")" }
  var initials: String { [firstName, lastName].compactMap { $0?.prefix(1) }.joined() }
  var bossName: String? { boss?.firstName }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "fullName"
      ? ["firstName", "lastName"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
