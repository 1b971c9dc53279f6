import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Keys of new objects are set aside in the transaction of a small save, and stay so when the save fails.
@Suite(.serialized) struct KeySequenceTests {
  private func makeContext(_ fixture: StoreFixture) -> NSManagedObjectContext {
    let context = fixture.coordinator.makeContext()
    return context
  }

  private func errorOfSaving(_ context: NSManagedObjectContext) -> NSError? {
    do {
      try context.save()
      return nil
    } catch { return error as NSError }
  }

  private func key(_ object: NSManagedObject) -> Int64 { object.objectID.packed.key }

  private func lastKeys(_ fixture: StoreFixture) throws -> [String] {
    try PlainSQL(url: fixture.url).rows(
      "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0 ORDER BY Z_NAME")
  }

  /// In the log, by the frames that end one.
  private func transactions(_ fixture: StoreFixture) throws -> Int {
    let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.url.path + "-wal")))
    let salt = log[16..<24]
    var count = 0
    for frame in stride(from: 32, to: log.count, by: 24 + 4096) {
      let pagesAfterCommit = log[frame + 4..<frame + 8]
      let isOfThisLog = log[frame + 8..<frame + 16].elementsEqual(salt)
      if isOfThisLog && pagesAfterCommit.contains(where: { $0 != 0 }) { count += 1 }
    }
    return count
  }

  @Test func aSmallSaveIsOneTransaction() throws {
    let fixture = try StoreFixture(PeopleModel.make())
    let before = try transactions(fixture)
    let context = makeContext(fixture)
    try context.performAndWait {
      for entity in ["Person", "Employee", "Tag", "Task"] {
        context.insert(entity, ["name": "a"])
      }
      try context.save()
    }
    #expect(try transactions(fixture) == before + 1)
    #expect(try lastKeys(fixture) == ["Person|2", "Tag|1", "Task|1"])
  }

  @Test func theKeysOfARefusedSaveStaySetAside() throws {
    let model = PeopleModel.make()
    model.entitiesByName["Person"]?.uniquenessConstraints = [["name"]]
    let fixture = try StoreFixture(model)
    let context = makeContext(fixture)
    try context.performAndWait {
      context.insert("Person", ["name": "a"])
      try context.save()
      let refused = context.insert("Person", ["name": "a"])
      let error = errorOfSaving(context)
      #expect(error?.code == CocoaError.Code.managedObjectConstraintMerge.rawValue)
      #expect(key(refused) == 2)
      #expect(try lastKeys(fixture) == ["Person|2"])
      #expect(try fixture.store.count(fixture.plan("Person")) == 1)
      let other = makeContext(fixture)
      let next = try other.performAndWait {
        let next = other.insert("Person", ["name": "b"])
        try other.save()
        return key(next)
      }
      #expect(next == 3)
      refused.setValue("c", forKey: "name")
      try context.save()
      #expect(key(refused) == 2)
    }
    let names = "SELECT Z_PK, ZNAME FROM ZPERSON ORDER BY Z_PK"
    #expect(try PlainSQL(url: fixture.url).rows(names) == ["1|a", "2|c", "3|b"])
  }

  @Test(arguments: ["WAL", "DELETE"], FaultyFileSystem.Fault.allCases)
  func aSaveThatFailsAnywhereCanBeRepeated(
    _ journal: String, _ fault: FaultyFileSystem.Fault
  ) throws {
    try FaultDrill.run(fault, journal) { drill in
      let fixture = try StoreFixture(PeopleModel.make(), in: drill.folder, options: drill.options)
      let context = makeContext(fixture)
      let comment = drill.comment
      try context.performAndWait {
        let owner = context.insert("Person", ["name": "a"])
        context.insert("Task", ["name": "a"]).setValue(owner, forKey: "owner")
        let error = drill.whileFailing { try context.save() }
        // The next object of the tree, by somebody else, comes before the save is repeated.
        let other = makeContext(fixture)
        try other.performAndWait {
          other.insert("Person", ["name": "b"])
          try other.save()
        }
        if error != nil { try context.save() }
        #expect(key(owner) > 0, comment)
      }
      try fixture.close()
      let plain = PlainSQL(url: fixture.url)
      let names = "SELECT ZNAME FROM ZPERSON UNION ALL SELECT ZNAME || 't' FROM ZTASK ORDER BY 1"
      #expect(try plain.rows(names) == ["a", "at", "b"], comment)
      let behind =
        "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person' "
        + "AND Z_MAX < (SELECT MAX(Z_PK) FROM ZPERSON) "
        + "OR Z_NAME = 'Task' AND Z_MAX < (SELECT MAX(Z_PK) FROM ZTASK)"
      #expect(try plain.rows(behind).isEmpty, comment)
      return fixture.url
    }
  }

  /// The disk does not take the save, nor even its keys, and another process is quicker to save when it
  /// does again.
  @Test func aKeyThatAnotherProcessHasTakenIsAnError() throws {
    let folder = try StoreFixture.makeFolder()
    let injector = FaultyFileSystem.inject(into: folder)
    let fixture = try StoreFixture(PeopleModel.make(), in: folder)
    let another = try StoreFixture(PeopleModel.make(), in: folder)
    let context = makeContext(fixture)
    try context.performAndWait {
      let late = context.insert("Person", ["name": "late"])
      injector.arm(.fullDisk, at: 1)
      let error = errorOfSaving(context)
      #expect(error?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
      _ = injector.disarm()
      let other = makeContext(another)
      try other.performAndWait {
        other.insert("Person", ["name": "early"])
        try other.save()
      }
      let taken = errorOfSaving(context)
      #expect(taken?.code == CocoaError.Code.persistentStoreSave.rawValue)
      let cause = taken?.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(cause?.localizedDescription.hasSuffix("insert it again.") == true)
      context.delete(late)
      context.insert("Person", ["name": "late"])
      try context.save()
    }
    let names = "SELECT Z_PK, ZNAME FROM ZPERSON ORDER BY Z_PK"
    #expect(try PlainSQL(url: fixture.url).rows(names) == ["1|early", "2|late"])
  }
}
