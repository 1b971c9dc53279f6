import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct CustomValidationTests {
  private struct Refusal: Error, Equatable { let key: String }

  @Test func anErrorOfOnesOwnComesOutAsItIs() throws {
    try TestStack.withEmployee { context, employee in
      employee.rule = { _, key in if key == "name" { throw Refusal(key: key) } }
      employee.name = "Bea"
      #expect(throws: Refusal(key: "name")) { try context.save() }
    }
  }

  @Test func errorsOfOnesOwnAreCombinedWithTheModels() throws {
    try TestStack.withEmployee { context, employee in
      employee.rule = { _, key in if key == "name" { throw Refusal(key: key) } }
      employee.setValue(-1, forKey: "salary")
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 1560)
      let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [any Error])
      #expect(details.count == 2 && details.contains { $0 is Refusal })
    }
  }

  @Test func everyPropertyIsValidated() throws {
    try TestStack.withEmployee { context, employee in
      var keys: Set<String> = []
      employee.rule = { _, key in keys.insert(key) }
      let task = context.insert("Task")
      employee.mutableOrderedSetValue(forKey: "tasks").add(task)
      try context.save()
      #expect(keys.isSuperset(of: ["name", "salary", "nickname", "mood", "department", "tasks"]))
    }
  }

  @Test func aValueThatValidationReplacesIsSaved() throws {
    try TestStack.withEmployee { context, employee in
      employee.rule = { value, key in
        if key == "name", let name = value as? String { value = name.uppercased() }
      }
      employee.name = "bea"
      try context.save()
      #expect(employee.name == "BEA" && !context.hasChanges)
      context.refresh(employee, mergeChanges: false)
      #expect(employee.name == "BEA")
    }
  }

  @Test func aValueThatIsPutBackEqualIsNoChange() throws {
    try TestStack.withEmployee { context, employee in
      employee.rule = { value, key in
        if key == "salary" { value = NSNumber(value: 2.0) }
      }
      employee.setValue(2, forKey: "salary")
      employee.calls = []
      try context.save()
      #expect(employee.calls == ["willSave", "didSave"])
    }
  }

  @Test func whatValidationChangesIsValidatedToo() throws {
    try TestStack.withEmployee { context, employee in
      let other = try context.hire("Bea")
      try context.save()
      employee.wholeRule = { _ in
        if other.value(forKey: "salary") as? Int == 0 { other.setValue(-3, forKey: "salary") }
      }
      employee.name = "Cleo"
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === other)
    }
  }

  @Test func severalPropertiesAreJudgedTogether() throws {
    try TestStack.withEmployee { context, employee in
      employee.wholeRule = { object in
        if object.name == "Boss", (object.value(forKey: "salary") as? Int ?? 0) < 100 {
          throw Refusal(key: "salary")
        }
      }
      employee.name = "Boss"
      #expect(throws: Refusal(key: "salary")) { try context.save() }
      employee.setValue(100, forKey: "salary")
      try context.save()
    }
  }

  @Test func aDeletedObjectIsNotAskedForItsValues() throws {
    try TestStack.withEmployee { context, employee in
      employee.setValue(nil, forKey: "name")
      context.delete(employee)
      try context.save()
      #expect(try context.employees().isEmpty)
    }
  }
}
