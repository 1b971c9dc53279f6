import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct ValidationTests {
  private func withCompany(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let stack = try TestStack.company()
    try stack.withContext(body)
  }

  private func error(_ body: () throws -> Void) throws -> NSError {
    try #require(throws: NSError.self) { try body() }
  }

  @Test func aMissingValueIsNamedWithItsObject() throws {
    try withCompany { context in
      let department = context.insert("Department")
      let error = try error { try department.validateForInsert() }
      #expect(error.domain == NSCocoaErrorDomain && error.code == 1570)
      #expect(error.localizedDescription == "name is a required value.")
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "name")
      #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === department)
    }
  }

  @Test func aBrokenPredicateIsToldWithItsWarning() throws {
    try withCompany { context in
      let employee = try context.hire("Ann", salary: -1)
      let error = try error { try employee.validateForInsert() }
      #expect(error.code == 1550 && error.localizedDescription == "A salary below zero")
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "salary")
      #expect(error.userInfo[NSValidationValueErrorKey] as? Int == -1)
      #expect(error.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
    }
  }

  @Test(arguments: [("a", 1670, "too short"), ("abcdef", 1660, "too long")])
  func aWarningThatIsANumberIsTheCode(_ name: String, _ code: Int, _ text: String) throws {
    try withCompany { context in
      let employee = try context.hire("Ann")
      employee.setValue(name, forKey: "nickname")
      let error = try error { try context.save() }
      #expect(error.code == code && error.localizedDescription.contains(text))
    }
  }

  @Test func aValueCanBeCheckedBeforeItIsSet() throws {
    try withCompany { context in
      let employee = try context.hire("Ann")
      var value: Any? = -5
      #expect(try error { try employee.validateValue(&value, forKey: "salary") }.code == 1550)
      value = 5
      try employee.validateValue(&value, forKey: "salary")
      value = nil
      #expect(try error { try employee.validateValue(&value, forKey: "name") }.code == 1570)
      value = NSSet(array: try (0..<4).map { try context.hire("\($0)") })
      let department = context.insert("Department", ["name": "Sales"])
      let limit = try error { try department.validateValue(&value, forKey: "staff") }
      #expect(limit.code == 1590 && limit.localizedDescription == "Too many items in staff.")
    }
  }

  @Test func twoBrokenPropertiesOfOneObjectAreOneErrorWithBoth() throws {
    try withCompany { context in
      let employee = context.insert("Employee", ["salary": -1])
      let error = try error { try employee.validateForInsert() }
      #expect(error.code == 1560)
      #expect(error.localizedDescription == "Multiple validation errors occurred.")
      let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
      #expect(details.map { Set($0.map(\.code)) } == [1550, 1570])
    }
  }

  @Test func tooManyMembersAreNamedWithTheirRelationship() throws {
    try withCompany { context in
      let department = context.insert("Department", ["name": "Sales"])
      for name in ["a", "b", "c", "d"] {
        try context.hire(name).setValue(department, forKey: "department")
      }
      let error = try error { try department.validateForInsert() }
      #expect(error.code == 1590)
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "staff")
      #expect((error.userInfo[NSValidationValueErrorKey] as? NSSet)?.count == 4)
    }
  }

  @Test(arguments: StoreKind.all)
  func aFailedSaveLeavesEverythingPendingAndCanBeRepeated(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      employee.setValue(nil, forKey: "name")
      #expect(try error { try context.save() }.code == 1570)
      #expect(context.updatedObjects == [employee])
      #expect(try stack.withContext { try $0.employees().map(\.name) } == ["Ann"])
      employee.name = "Bea"
      try context.save()
      #expect(try stack.withContext { try $0.employees().map(\.name) } == ["Bea"])
    }
  }

  @Test(arguments: StoreKind.all)
  func aDenyRuleStopsTheSaveAsItsOnlyError(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let department = context.insert("Department", ["name": "Sales"])
      let employee = try context.hire("Ann")
      employee.setValue(department, forKey: "department")
      try context.save()
      context.delete(department)
      let denied = try error { try context.save() }
      #expect(denied.code == 1600)
      #expect(denied.localizedDescription == "Items cannot be deleted from staff.")
      #expect(denied.userInfo[NSValidationKeyErrorKey] as? String == "staff")
      context.rollback()
      #expect(!department.isDeleted && !context.hasChanges)
      context.delete(department)
      context.delete(employee)
      try department.validateForDelete()
      try context.save()
    }
  }

  @Test(arguments: StoreKind.all)
  func aMandatoryValueOfASavedObjectCannotBecomeNil(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      employee.name = nil
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSValidationMissingMandatoryPropertyError)
      #expect(employee.name == nil)
    }
  }
}
