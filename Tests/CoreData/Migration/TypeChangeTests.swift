import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Attributes whose type is another one in the next version: every type × every other, in every kind of store.
struct TypeChangeTests {
  private static let kinds = StoreKind.all.filter {
    [.sqlite, .xml, .binary, .postgreSQL].contains($0)
  }.map { NSPersistentStore.StoreType(rawValue: $0.rawValue) }
  private static let server = NSPersistentStore.StoreType(rawValue: StoreKind.postgreSQL.rawValue)
  private static let numeric = [
    "Integer 16", "Integer 32", "Integer 64", "Boolean", "Float", "Double", "Decimal",
  ]
  private static let other = ["String", "Date", "Binary", "UUID", "URI", "Transformable"]

  private static func values(_ type: String) -> [NSNumber] {
    switch type {
    case "Boolean": [true, false]
    case "Decimal": ["0", "1.5", "-2.75", "100"].map { NSDecimalNumber(string: $0) }
    case "Float": [0, 1.5, -2.75, 100, Float(0.1)].map { NSNumber(value: $0) }
    case "Double": [0, 1.5, -2.75, 100, 0.1].map { NSNumber(value: $0) }
    default: [0, 1, -7, 100].map { NSNumber(value: $0 as Int64) }
    }
  }

  /// What `NSNumber` makes of a value, as a double.
  private static func expected(_ value: NSNumber, _ type: String) -> Double {
    switch type {
    case "Boolean": value.doubleValue == 0 ? 0 : 1
    case "Float": Double(value.floatValue)
    case "Double", "Decimal": value.doubleValue
    default: value.doubleValue.rounded(.towardZero)
    }
  }

  private func numbers(
    _ url: URL, _ kind: NSPersistentStore.StoreType, _ model: NSManagedObjectModel,
    options: [AnyHashable: Any]? = nil
  ) throws -> [Double?] {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: kind, at: url, options: options)
    let context = coordinator.makeContext()
    let found = try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      return try context.fetch(request).map { ($0.value(forKey: "size") as? NSNumber)?.doubleValue }
    }
    try coordinator.remove(store)
    return found
  }

  @Test(arguments: Sample.of(kinds)) func everyNumericTypeBecomesEveryOther(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    for old in Self.numeric {
      for new in Self.numeric where new != old {
        let versions = try VersionFolder([
          "Thing: number Integer 16, size \(old)", "Thing: number Integer 16, size \(new)",
        ])
        let values = Self.values(old)
        let things = values.enumerated().map { ["number": $0, "size": $1] as [String: Any] }
        let url = try versions.makeStore(kind, things + [["number": values.count]])
        let found = try numbers(url, kind, versions.model(2), options: versions.migrating)
        let expected = values.map { Self.expected($0, new) } + [nil]
        // A Float has seven digits; those that a decimal has beyond them depend on the way.
        let isOfFloats = old == "Float" && new == "Decimal"
        #expect(
          isOfFloats
            ? found.map { $0.map(Float.init) } == expected.map { $0.map(Float.init) }
            : found == expected, "\(kind.rawValue): \(old) to \(new), \(found)")
        if kind == .sqlite {
          #expect(try Set(columns(url)) == Set(columns(fresh(versions))), "\(old) to \(new)")
        }
      }
    }
  }

  private func fresh(_ versions: VersionFolder) throws -> URL {
    try VersionFolder.makeStore(.sqlite, versions.model(2), [])
  }

  private func columns(_ url: URL) throws -> [String] {
    try PlainSQL(url: url).rows("SELECT name || ' ' || type FROM pragma_table_info('ZTHING')")
  }

  @Test(arguments: Sample.of(kinds)) func aURIBecomesAText(_ kind: NSPersistentStore.StoreType)
    throws
  {
    let versions = try VersionFolder(["Thing: link URI", "Thing: link String"])
    let link = try #require(URL(string: "https://example.org/a?b=c"))
    let url = try versions.makeStore(kind, [["link": link], [:]])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
    let store = try coordinator.addPersistentStore(
      type: kind, at: url, options: versions.migrating)
    try coordinator.remove(store)
    #expect(
      try VersionFolder.values("link", url, kind, versions.model(2))
        == ["https://example.org/a?b=c", "nil"])
  }

  /// Whatever is not inferred names both types and leaves the files as they are.
  @Test func everyOtherPairIsRefusedByName() throws {
    let all = Self.numeric + Self.other
    for old in all {
      for new in all where new != old {
        if Self.numeric.contains(old) && Self.numeric.contains(new) { continue }
        if old == "URI" && new == "String" { continue }
        let versions = try VersionFolder(["Thing: size \(old)", "Thing: size \(new)"])
        let error = #expect(throws: NSError.self, "\(old) to \(new)") {
          try NSMappingModel.inferredMappingModel(
            forSourceModel: versions.model(1), destinationModel: versions.model(2))
        }
        let reason = error?.userInfo["reason"] as? String ?? ""
        #expect(error?.code == NSInferredMappingModelError)
        // In Xcode's words.
        #expect(
          reason.contains("was of the type \(old) and is of the type \(new) now"), "\(reason)")
      }
    }
  }

  struct Misfit: CustomStringConvertible, Sendable {
    let old: String
    let new: String
    let fitting: Double
    let misfits: [Double]

    var description: String { "\(old) to \(new)" }

    static let all = [
      Misfit(
        old: "Integer 64", new: "Integer 16", fitting: -32768, misfits: [32768, -32769, 1e12]),
      Misfit(old: "Integer 32", new: "Integer 16", fitting: 32767, misfits: [40000]),
      Misfit(
        old: "Integer 64", new: "Integer 32", fitting: 2_147_483_647, misfits: [2_147_483_648]),
      Misfit(old: "Double", new: "Integer 16", fitting: 32767.9, misfits: [32768, -32769]),
      Misfit(old: "Double", new: "Integer 32", fitting: -2_147_483_648.5, misfits: [1e10]),
      Misfit(old: "Double", new: "Integer 64", fitting: 9e18, misfits: [9.3e18, -1e300]),
      Misfit(old: "Float", new: "Integer 16", fitting: 1.5, misfits: [1e10]),
      Misfit(old: "Float", new: "Integer 64", fitting: 1e15, misfits: [1e20]),
      Misfit(old: "Double", new: "Float", fitting: 3e38, misfits: [3.5e38, -1e300]),
      Misfit(old: "Double", new: "Decimal", fitting: 1e100, misfits: [1e200]),
      Misfit(old: "Decimal", new: "Integer 32", fitting: 2_147_483_647.5, misfits: [1e12]),
    ]
  }

  @Test(arguments: Sample.of(Misfit.all)) func whatDoesNotFitIsCountedBeforeAnythingChanges(
    _ misfit: Misfit
  ) throws {
    func value(_ number: Double) -> NSNumber {
      switch misfit.old {
      case "Decimal": NSDecimalNumber(decimal: Decimal(number))
      case "Double", "Float": NSNumber(value: number)
      default: NSNumber(value: Int64(number))
      }
    }
    for kind in Self.kinds {
      let things = (misfit.misfits + [misfit.fitting]).map { ["size": value($0)] }
      let made = try VersionFolder(["Thing: size \(misfit.old)", "Thing: size \(misfit.new)"])
      let url = try made.makeStore(kind, things)
      let before = try VersionFolder.files(made.folder)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try made.model(2))
      let problems =
        kind == .sqlite
        ? try coordinator.migrationPlan(forStoreAt: url, type: kind, options: made.migrating)
          .problems.map(\.objects) : []
      let error = #expect(throws: NSError.self, "\(kind.rawValue)") {
        try coordinator.addPersistentStore(type: kind, at: url, options: made.migrating)
      }
      #expect(error?.code == NSMigrationError)
      #expect(try VersionFolder.files(made.folder) == before, "\(kind.rawValue)")
      let reason = error?.userInfo["reason"] as? String ?? ""
      if kind == .sqlite { #expect(problems == [misfit.misfits.count]) }
      if kind == .sqlite || kind == Self.server {
        #expect(reason.contains("\(misfit.misfits.count) object"), "\(reason)")
      }
      let fits = try made.makeStore(
        kind, [["size": value(misfit.fitting)]], named: "Fitting")
      _ = try numbersWithoutOrder(fits, kind, made.model(2), made.migrating)
    }
  }

  private func numbersWithoutOrder(
    _ url: URL, _ kind: NSPersistentStore.StoreType, _ model: NSManagedObjectModel,
    _ options: [AnyHashable: Any]
  ) throws -> Int {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: kind, at: url, options: options)
    defer { try? coordinator.remove(store) }
    let context = coordinator.makeContext()
    return try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing"))
    }
  }

  @Test func aMandatoryNumberGetsItsDefaultWhereItWasNil() throws {
    let versions = try VersionFolder([
      "Thing: size Integer 32", "Thing: size Double! = 2.5",
    ])
    let url = try versions.makeStore(.sqlite, [["size": 7], [:]])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: url, options: versions.migrating)
    try coordinator.remove(store)
    #expect(
      try PlainSQL(url: url).rows("SELECT ZSIZE FROM ZTHING ORDER BY 1") == ["2.5", "7.0"])
  }

  /// A constraint that held before may not hold of what is cut off.
  @Test func numbersThatBecomeEqualBreakAConstraint() throws {
    let versions = try VersionFolder([
      "Thing: size Double, #size", "Thing: size Integer 16, #size",
    ])
    let url = try versions.makeStore(.sqlite, [["size": 1.25], ["size": 1.5]])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
    let plan = try coordinator.migrationPlan(
      forStoreAt: url, type: .sqlite, options: versions.migrating)
    #expect(plan.problems.map(\.code) == [NSMigrationConstraintViolationError])
  }
}
