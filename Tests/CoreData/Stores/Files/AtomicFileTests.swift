import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The files of binary and XML stores.
@Suite struct AtomicFileTests {
  static let kinds: [StoreKind] = [.binary, .xml]

  private func makeFolder() throws -> URL { try StoreFixture.makeFolder() }

  private func add(
    _ kind: StoreKind, _ url: URL, model: NSManagedObjectModel = PeopleModel.make(),
    options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil, at: url, options: options)
    let context = coordinator.makeContext()
    return context
  }

  private func makeGraph(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let boss = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      boss.setValue("Ünï \u{1} <&> \"\r\n", forKey: "name")
      boss.setValue(Date(timeIntervalSinceReferenceDate: 445_103_622.25), forKey: "born")
      boss.setValue(Data([0, 255, 10]), forKey: "photo")
      boss.setValue(NSDecimalNumber(string: "-12345678901234567890.123"), forKey: "amount")
      boss.setValue(0.1, forKey: "height")
      boss.setValue(true, forKey: "active")
      boss.setValue(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), forKey: "token")
      boss.setValue(URL(string: "https://example.org/?a=1&b=2"), forKey: "home")
      let worker = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
      worker.setValue(boss, forKey: "boss")
      worker.setValue(-7, forKey: "salary")
      let tasks = ["1", "2", "3"].map { name in
        let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: context)
        task.setValue(name, forKey: "name")
        return task
      }
      boss.setValue(NSOrderedSet(array: [tasks[2], tasks[0], tasks[1]]), forKey: "tasks")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(NSSet(array: [boss, worker]), forKey: "people")
      try context.save()
    }
  }

  private func checkGraph(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = NSPredicate(format: "boss == nil")
      let boss = try #require(try context.fetch(request).first)
      #expect(boss.value(forKey: "name") as? String == "Ünï \u{1} <&> \"\r\n")
      #expect(
        boss.value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: 445_103_622.25))
      #expect(boss.value(forKey: "photo") as? Data == Data([0, 255, 10]))
      #expect(
        boss.value(forKey: "amount") as? NSDecimalNumber
          == NSDecimalNumber(string: "-12345678901234567890.123"))
      #expect(boss.value(forKey: "height") as? Double == 0.1)
      #expect(boss.value(forKey: "active") as? Bool == true)
      #expect(
        (boss.value(forKey: "token") as? UUID)?.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
      )
      #expect(
        (boss.value(forKey: "home") as? URL)?.absoluteString == "https://example.org/?a=1&b=2")
      #expect(boss.value(forKey: "age") == nil)
      let reports = boss.value(forKey: "reports") as? Set<NSManagedObject>
      let worker = try #require(reports?.first)
      #expect(worker.entity.name == "Employee")
      #expect(worker.value(forKey: "salary") as? Int == -7)
      let tasks = (boss.value(forKey: "tasks") as? NSOrderedSet)?.array as? [NSManagedObject]
      #expect(tasks?.map { $0.value(forKey: "name") as? String } == ["3", "1", "2"])
      let tags = worker.value(forKey: "tags") as? Set<NSManagedObject>
      #expect(tags?.first?.value(forKey: "people") as? Set<NSManagedObject> == [boss, worker])
    }
  }

  @Test(arguments: kinds)
  func everyValueAndRelationshipComesBackFromTheFile(kind: StoreKind) throws {
    let url = try makeFolder().appendingPathComponent("store")
    try makeGraph(add(kind, url))
    try checkGraph(add(kind, url, options: [NSValidateXMLStoreOption: true]))
  }

  @Test(arguments: kinds)
  func aFileThatEndsTooEarlyIsRefusedWhereverItEnds(kind: StoreKind) throws {
    let url = try makeFolder().appendingPathComponent("store")
    try makeGraph(add(kind, url))
    let whole = try Data(contentsOf: url)
    for part in 1..<20 {
      let count = whole.count * part / 20
      try whole.prefix(count).write(to: url)
      let error = #expect(throws: NSError.self, "\(count)") { try add(kind, url) }
      #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue, "\(count): \(error as Any)")
      #expect(try Data(contentsOf: url).count == count)
    }
  }

  @Test(arguments: kinds)
  func aDamagedFileNeverStopsTheProgram(kind: StoreKind) throws {
    let url = try makeFolder().appendingPathComponent("store")
    try makeGraph(add(kind, url))
    let whole = try Data(contentsOf: url)
    var random = SplitMix64(seed: 11)
    for _ in 0..<150 {
      var damaged = whole
      for _ in 0..<3 {
        let place = Int(random.next() % UInt64(whole.count))
        damaged[damaged.startIndex + place] = UInt8(truncatingIfNeeded: random.next())
      }
      try damaged.write(to: url)
      // Either it opens, when a value alone has changed, or it is refused.
      do { _ = try add(kind, url) } catch let error as NSError {
        #expect(error.domain == NSCocoaErrorDomain)
      }
    }
  }

  /// Damage behind a right checksum.
  @Test func aHostileBodyOfABinaryStoreIsRefused() throws {
    let url = try makeFolder().appendingPathComponent("store")
    try makeGraph(add(.binary, url))
    let stored = try BinaryStoreFile.read(url, layouts: [])
    var writer = BinaryBodyWriter()
    let body = writer.body(stored)
    var random = SplitMix64(seed: 5)
    for _ in 0..<500 {
      var damaged = body
      let place = Int(random.next() % UInt64(body.count))
      damaged[place] = UInt8(truncatingIfNeeded: random.next())
      var reader = BinaryBodyReader(damaged[...])
      do { _ = try reader.contents([:]) } catch { #expect(error is FileDamage) }
    }
  }

  @Test(arguments: kinds)
  func aSaveReplacesTheFileAndLeavesNothingElse(kind: StoreKind) throws {
    let folder = try makeFolder()
    let url = folder.appendingPathComponent("store")
    let context = try add(kind, url)
    let before = try FileManager.default.attributesOfItem(atPath: url.path)[.systemFileNumber]
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
    try makeGraph(context)
    let after = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(before as? Int != after[.systemFileNumber] as? Int)
    #expect(after[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store"])
  }

  @Test(arguments: kinds)
  func aSaveThatCannotWriteLeavesTheFileAndTheChanges(kind: StoreKind) throws {
    let folder = try makeFolder()
    let url = folder.appendingPathComponent("store")
    let context = try add(kind, url)
    let before = try Data(contentsOf: url)
    try FileManager.default.moveItem(at: folder, to: folder.appendingPathExtension("away"))
    let error = #expect(throws: NSError.self) { try makeGraph(context) }
    #expect(error?.domain == NSCocoaErrorDomain)
    try FileManager.default.moveItem(at: folder.appendingPathExtension("away"), to: folder)
    #expect(try Data(contentsOf: url) == before)
    try context.performAndWait {
      #expect(context.hasChanges)
      try context.save()
    }
    try checkGraph(add(kind, url))
  }

  @Test(arguments: kinds)
  func aFileOfNoBytesBecomesAStore(kind: StoreKind) throws {
    let url = try makeFolder().appendingPathComponent("store")
    try Data().write(to: url)
    try makeGraph(add(kind, url))
    try checkGraph(add(kind, url))
  }

  @Test(arguments: kinds)
  func aStoreAtDevNullIsInMemoryAlone(kind: StoreKind) throws {
    let url = URL(fileURLWithPath: "/dev/null")
    let context = try add(kind, url)
    try makeGraph(context)
    context.performAndWait { context.reset() }
    try checkGraph(context)
  }

  @Test(arguments: kinds)
  func aFolderOrAMissingFileToReadIsAnError(kind: StoreKind) throws {
    let folder = try makeFolder()
    #expect(throws: NSError.self) { try add(kind, folder) }
    let error = #expect(throws: NSError.self) {
      try add(
        kind, folder.appendingPathComponent("none"),
        options: [NSReadOnlyPersistentStoreOption: true])
    }
    #expect(error?.code == CocoaError.fileReadNoSuchFile.rawValue)
  }

  @Test(arguments: kinds)
  func aStoreOfAnotherModelOpensWhenVersionsAreIgnored(kind: StoreKind) throws {
    let url = try makeFolder().appendingPathComponent("store")
    try makeGraph(add(kind, url))
    let tag = ModelPart.entity("Tag")
    tag.properties = [ModelPart.attribute("color")]
    let model = NSManagedObjectModel()
    model.entities = [tag]
    #expect(throws: NSError.self) { try add(kind, url, model: model) }
    let context = try add(
      kind, url, model: model, options: [NSIgnorePersistentStoreVersioningOption: true])
    let count = try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
    }
    #expect(count == 1)
    let metadata = try #require(context.persistentStoreCoordinator?.persistentStores[0].metadata)
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test(arguments: [StoreKind.inMemory, .binary, .xml])
  func derivedAttributesAreRefused(kind: StoreKind) throws {
    let url = try makeFolder().appendingPathComponent("store")
    let error = #expect(throws: NSError.self) {
      try add(kind, url, model: TestModels.counting())
    }
    #expect(
      error?.localizedFailureReason?.hasPrefix(
        "Core Data provided atomic stores do not support derived properties") == true)
  }

  @Test(arguments: kinds)
  func transformedValuesComeBack(kind: StoreKind) throws {
    let url = try makeFolder().appendingPathComponent("store")
    let context = try add(kind, url, model: TestModels.everything())
    try context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(["a", "b"] as NSArray, forKey: "words")
      note.setValue("draft", forKey: "draft")
      try context.save()
    }
    let other = try add(kind, url, model: TestModels.everything())
    try other.performAndWait {
      let notes = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      #expect(notes[0].value(forKey: "words") as? [String] == ["a", "b"])
      #expect(notes[0].value(forKey: "draft") == nil)
    }
  }

  @Test(arguments: kinds)
  func elementsOfCompositeAttributesComeBack(kind: StoreKind) throws {
    let url = try makeFolder().appendingPathComponent("store")
    let location: [String: Any] = ["latitude": -30.5, "address": ["city": "x", "zip": 7]]
    let context = try add(kind, url, model: PlacesModel.make())
    try context.performAndWait {
      let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: context)
      place.setValue("a", forKey: "name")
      place.setValue(location, forKey: "location")
      try context.save()
    }
    let other = try add(kind, url, model: PlacesModel.make())
    try other.performAndWait {
      let place = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place"))[0]
      let found = place.value(forKey: "location") as? NSDictionary
      #expect(found == location as NSDictionary)
    }
  }
}
