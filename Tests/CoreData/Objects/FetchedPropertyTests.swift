import CoreData
import Testing

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
}
