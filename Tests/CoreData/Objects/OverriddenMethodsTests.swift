import CoreData
import Testing

@testable import CoreDataSamples

/// What a class of managed objects overrides decides what a save calls, and how values are checked: never what is found.
@Suite struct OverriddenMethodsTests {
  private class Plain: NSManagedObject {
    override func prepareForDeletion() { super.prepareForDeletion() }
  }

  private class Overriding: NSManagedObject {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
      try super.validateValue(&value, forKey: key)
    }
  }

  private class InsertChecked: NSManagedObject {
    override func validateForInsert() throws { try super.validateForInsert() }
  }

  private class UpdateChecked: NSManagedObject {
    override func validateForUpdate() throws { try super.validateForUpdate() }
  }

  private class DeleteChecked: NSManagedObject {
    override func validateForDelete() throws { try super.validateForDelete() }
  }

  private class WillSave: NSManagedObject {
    private(set) var calls = 0
    override func willSave() { calls += 1 }
  }

  private class DidSave: NSManagedObject {
    private(set) var calls = 0
    override func didSave() { calls += 1 }
  }

  private final class InheritingValue: Overriding {}
  private final class InheritingInsert: InsertChecked {}
  private final class InheritingUpdate: UpdateChecked {}
  private final class InheritingDelete: DeleteChecked {}
  private final class InheritingWillSave: WillSave {}
  private final class InheritingDidSave: DidSave {}

  @Test func aMethodOfOnesOwnIsNoticedAlsoInASuperclass() {
    let classes: [(NSManagedObject.Type, NSManagedObject.Type, OverriddenMethods)] = [
      (Overriding.self, InheritingValue.self, .validateValue),
      (InsertChecked.self, InheritingInsert.self, .validateForInsert),
      (UpdateChecked.self, InheritingUpdate.self, .validateForUpdate),
      (DeleteChecked.self, InheritingDelete.self, .validateForDelete),
      (WillSave.self, InheritingWillSave.self, .willSave),
      (DidSave.self, InheritingDidSave.self, .didSave),
    ]
    for (overriding, inheriting, method) in classes {
      #expect(OverriddenMethods(of: overriding) == method)
      #expect(OverriddenMethods(of: inheriting) == method)
    }
    #expect(OverriddenMethods(of: NSManagedObject.self).isEmpty)
    #expect(OverriddenMethods(of: Plain.self).isEmpty)
    #expect(OverriddenMethods(of: Employee.self).contains(.validateValue))
  }

  /// Whatever the other objects of the save are, and whether they come before or after.
  @Test func aSaveCallsTheMethodsOfEachClassThatHasThem() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Employee", in: context))
      let first = Plain(entity: entity, insertInto: context)
      let will = InheritingWillSave(entity: entity, insertInto: context)
      let did = InheritingDidSave(entity: entity, insertInto: context)
      let last = Plain(entity: entity, insertInto: context)
      for object in [first, will, did, last] { object.setValue("Ann", forKey: "name") }
      try context.save()
      #expect(will.calls == 1 && did.calls == 1)
      for object in [will, did] { object.setValue("Bob", forKey: "name") }
      try context.save()
      #expect(will.calls == 2 && did.calls == 2)
      for object in [will, did] { context.delete(object) }
      try context.save()
      #expect(will.calls == 3 && did.calls == 3)
    }
  }

  @Test func theSameRulesAreFoundBrokenEitherWay() throws {
    let seed: UInt64 = 20_261_121
    print("Seed of the generated values: \(seed)")
    var random = SplitMix64(seed: seed)
    let stack = try TestStack.company()
    try stack.withContext { context in
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Employee", in: context))
      var broken = 0
      for _ in 0..<500 {
        let values = Self.values(&random)
        let plain = NSManagedObject(entity: entity, insertInto: context)
        let overriding = InheritingValue(entity: entity, insertInto: context)
        for object in [plain, overriding] {
          for (key, value) in values { object.setValue(value, forKey: key) }
        }
        let errors = Self.errors(of: plain)
        #expect(errors == Self.errors(of: overriding), "\(values)")
        broken += errors.isEmpty ? 0 : 1
      }
      #expect(broken > 100 && broken < 500)
    }
  }

  private static func values(_ random: inout SplitMix64) -> [String: Any] {
    var values: [String: Any] = [:]
    if Int.random(in: 0..<4, using: &random) > 0 { values["name"] = "Ann" }
    if Bool.random(using: &random) { values["salary"] = Int.random(in: -3...9, using: &random) }
    if Bool.random(using: &random) {
      values["nickname"] = String(repeating: "x", count: Int.random(in: 0...7, using: &random))
    }
    return values
  }

  /// Codes and keys, in no order.
  private static func errors(of object: NSManagedObject) -> [String] {
    do {
      try object.validateForInsert()
      return []
    } catch let error as NSError {
      let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
      return errors.map { "\($0.code) \($0.userInfo[NSValidationKeyErrorKey] ?? "")" }.sorted()
    }
  }
}
