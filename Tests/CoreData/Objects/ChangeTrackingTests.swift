import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct ChangeTrackingTests {
  @Test func committedValuesAreTheNewOnesRightAfterASave() throws {
    try TestStack.withEmployee { context, employee in
      employee.name = "Bea"
      employee.name = "Cleo"
      #expect(employee.changedValues() as? [String: String] == ["name": "Cleo"])
      #expect(employee.committedValues(forKeys: ["name"])["name"] as? String == "Ann")
      try context.save()
      #expect(employee.changedValues().isEmpty)
      #expect(employee.committedValues(forKeys: ["name"])["name"] as? String == "Cleo")
    }
  }

  @Test func aPrimitiveValueIsNoChange() throws {
    try TestStack.withEmployee { context, employee in
      employee.setPrimitiveValue("x", forKey: "name")
      #expect(!employee.isUpdated && !context.hasChanges)
    }
  }

  @Test func anEqualValueMakesAnUpdateWithoutChangedValues() throws {
    try TestStack.withEmployee { context, employee in
      employee.name = "Ann"
      #expect(employee.isUpdated && context.updatedObjects == [employee])
      #expect(employee.changedValues().isEmpty && !employee.hasPersistentChangedValues)
    }
  }

  @Test func aTransientChangeIsNoPersistentOne() throws {
    try TestStack.withEmployee { context, employee in
      employee.setValue("glad", forKey: "mood")
      #expect(employee.isUpdated && employee.hasChanges && context.hasChanges)
      #expect(!employee.hasPersistentChangedValues && employee.changedValues().isEmpty)
      try context.save()
      #expect(employee.value(forKey: "mood") as? String == "glad")
    }
  }

  @Test func theCurrentEventHasTheOldValues() throws {
    try TestStack.withEmployee { context, employee in
      employee.name = "Bea"
      context.processPendingChanges()
      #expect(employee.changedValuesForCurrentEvent().isEmpty)
      employee.name = "Cleo"
      employee.setValue(2, forKey: "salary")
      let old = employee.changedValuesForCurrentEvent()
      #expect(old["name"] as? String == "Bea" && old["salary"] as? Int == 1 && old.count == 2)
    }
  }

  @Test func theCurrentEventIsTheOneThatTheNotificationTells() throws {
    try TestStack.withEmployee { context, employee in
      let department = context.insert("Department", ["name": "Sales"])
      context.processPendingChanges()
      var seen: [[String: Any]] = []
      let center = NotificationCenter.default
      let box = UncheckedBox { (note: Notification) in
        for object in note.objects("updated") { seen.append(object.changedValuesForCurrentEvent()) }
      }
      let token = center.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { box.value($0) }
      defer { center.removeObserver(token) }
      employee.setValue(department, forKey: "department")
      context.processPendingChanges()
      let all = seen.reduce(into: [:]) { $0.merge($1) { $1 } }
      #expect(all["department"] is NSNull)
      #expect((all["staff"] as? NSSet)?.count == 0)
      #expect(employee.changedValuesForCurrentEvent().isEmpty)
    }
  }

  @Test func anEditInsideOfTheNotificationIsAnEventOfItsOwn() throws {
    try TestStack.withEmployee { context, employee in
      let box = UncheckedBox { if employee.name != "last" { employee.name = "last" } }
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { _ in box.value() }
      defer { NotificationCenter.default.removeObserver(token) }
      employee.name = "first"
      context.processPendingChanges()
      #expect(employee.changedValuesForCurrentEvent()["name"] as? String == "first")
      let notes = ContextNotes.of(context) { context.processPendingChanges() }
      #expect(notes.map(\.summary) == ["updated 1"])
    }
  }

  @Test func keyValueCodingSetsAndGivesSeveralValues() throws {
    try TestStack.withEmployee { _, employee in
      employee.setValuesForKeys(["name": "Bea", "hired": NSNull()])
      let values = employee.dictionaryWithValues(forKeys: ["name", "hired", "salary"])
      #expect(values["name"] as? String == "Bea" && values["hired"] is NSNull)
      #expect(values["salary"] as? Int == 1)
      #expect(employee["name"] as? String == "Bea")
    }
  }

  @Test func afterSeveralEditsTheLastOneIsChangedAndTheLastSavedOneCommitted() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      for name in ["Bea", "Cleo"] { employee.name = name }
      #expect(employee.changedValues()["name"] as? String == "Cleo")
      #expect(employee.committedValues(forKeys: ["name"])["name"] as? String == "Ann")
    }
  }
}
