import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct FetchedPropertyTests {
  private func names(_ department: NSManagedObject) -> [String] {
    let found = department.value(forKey: "veterans") as? [Employee] ?? []
    return found.map { $0.name ?? "" }
  }

  @Test(arguments: StoreKind.all)
  func itsRequestKnowsTheObjectAndTheDescription(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      for (name, salary) in [("Zoe", 200), ("Ann", 150), ("Bob", 50)] {
        try context.hire(name, salary: salary).setValue(department, forKey: "department")
      }
      _ = try context.hire("Elsewhere", salary: 300)
      try context.save()
      #expect(names(department) == ["Ann", "Zoe"])
    }
  }

  @Test func anotherUserInfoTakesEffectAtOnce() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      try context.hire("Ann", salary: 150).setValue(department, forKey: "department")
      try context.hire("Zoe", salary: 250).setValue(department, forKey: "department")
      try context.save()
      #expect(names(department) == ["Ann", "Zoe"])
      let property = department.entity.properties.first { $0.name == "veterans" }
      property?.userInfo = ["least": NSNumber(value: 200)]
      #expect(names(department) == ["Zoe"])
    }
  }

  /// What was found stays what was found until the object becomes a fault, as Apple documents.
  @Test(arguments: StoreKind.all, [false, true])
  func anAnswerIsKeptUntilTheObjectBecomesAFault(_ kind: StoreKind, isHeld: Bool) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      for name in ["Ann", "Zoe"] {
        try context.hire(name, salary: 200).setValue(department, forKey: "department")
      }
      try context.save()
      func veterans() -> [Employee] { department.value(forKey: "veterans") as? [Employee] ?? [] }
      let held = isHeld ? veterans() : []
      #expect(names(department) == ["Ann", "Zoe"])
      try context.hire("Bob", salary: 300).setValue(department, forKey: "department")
      try context.save()
      #expect(names(department) == ["Ann", "Zoe"])
      let areSame = veterans().elementsEqual(held, by: ===)
      #expect(areSame || !isHeld)
      context.refresh(department, mergeChanges: false)
      #expect(names(department) == ["Ann", "Bob", "Zoe"])
      // A value that the predicate takes from elsewhere makes it another request.
      let property = department.entity.properties.first { $0.name == "veterans" }
      property?.userInfo = ["least": NSNumber(value: 250)]
      #expect(names(department) == ["Bob"])
      property?.userInfo = ["least": NSNumber(value: 100)]
      #expect(names(department) == ["Ann", "Bob", "Zoe"])
      context.refreshAllObjects()
      #expect(names(department) == ["Ann", "Bob", "Zoe"])
    }
  }

  @Test(arguments: StoreKind.all)
  func anAnswerLeavesOutWhatIsGone(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      for name in ["Ann", "Zoe"] {
        try context.hire(name, salary: 200).setValue(department, forKey: "department")
      }
      try context.save()
      #expect(names(department) == ["Ann", "Zoe"])
      for employee in try context.employees() where employee.name == "Ann" {
        context.delete(employee)
      }
      try context.save()
      #expect(names(department) == ["Zoe"])
      #expect(!context.hasChanges)
    }
  }

  /// What the parent has not saved yet stays in a child's answer, though nobody holds it there, until its deletion is saved.
  @Test(arguments: StoreKind.all, [1, 2])
  func aChildsAnswerKeepsWhatIsNotSaved(_ kind: StoreKind, depth: Int) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { parent in
      let department = parent.insert("Department", ["name": "Sales"])
      try parent.hire("Ann", salary: 150).setValue(department, forKey: "department")
      try parent.save()
      let unsaved = try parent.hire("Zoe", salary: 250)
      unsaved.setValue(department, forKey: "department")
      var child = parent
      for _ in 0..<depth {
        let next = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        next.parent = child
        child = next
      }
      try child.performAndWait {
        let own = child.object(with: department.objectID)
        for _ in 0..<3 { #expect(names(own) == ["Ann", "Zoe"]) }
        let zoe = try #require(try child.employees().first { $0.name == "Zoe" })
        child.delete(zoe)
        try child.save()
        #expect(names(own) == ["Ann"])
      }
    }
  }

  /// An answer with the object itself in it keeps nothing alive.
  @Test func anAnswerKeepsNobodyAlive() throws {
    let stack = try TestStack.company()
    weak var gone: NSManagedObject?
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      try context.hire("Ann", salary: 200).setValue(department, forKey: "department")
      try context.save()
      #expect(names(department) == ["Ann"])
      gone = (department.value(forKey: "veterans") as? [Employee])?.first
    }
    #expect(gone == nil)
  }
}
