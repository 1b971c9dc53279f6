import CoreData
import Testing

/// Whether a class sees the values that a save validates decides how they are checked, not what is found.
@Suite struct ValidationOverrideTests {
  private class Plain: NSManagedObject {
    override func validateForInsert() throws { try super.validateForInsert() }
  }

  private class Overriding: NSManagedObject {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
      try super.validateValue(&value, forKey: key)
    }
  }

  private final class Inheriting: Overriding {}

  @Test func aMethodOfOnesOwnIsNoticedAlsoInASuperclass() {
    #expect(!ValidationOverride.exists(in: NSManagedObject.self))
    #expect(!ValidationOverride.exists(in: Plain.self))
    #expect(ValidationOverride.exists(in: Overriding.self))
    #expect(ValidationOverride.exists(in: Inheriting.self))
    #expect(ValidationOverride.exists(in: Employee.self))
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
        let overriding = Overriding(entity: entity, insertInto: context)
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
