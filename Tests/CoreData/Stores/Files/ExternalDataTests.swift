import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Binary values in files of their own: `.Store_SUPPORT/_EXTERNAL_DATA/UUID`.
@Suite struct ExternalDataTests {
  private let large = ExternalDataFixture.bytes(300_000)
  private let other = ExternalDataFixture.bytes(400_000, seed: 2)

  @Test func aLargeValueHasAFileAndASmallOneNone() throws {
    let fixture = try ExternalDataFixture()
    try fixture.insert("large", large)
    try fixture.insert("small", Data("tiny".utf8))
    try fixture.insert("at the threshold", ExternalDataFixture.bytes(100 << 10))
    try fixture.insert("empty", Data())
    try fixture.insert("none", nil)
    try fixture.expectConsistentFiles(1)
    let file = try #require(fixture.files.first)
    #expect(file == file.uppercased() && UUID(uuidString: file) != nil)
    let url = fixture.externalFolder.appendingPathComponent(file)
    #expect(try Data(contentsOf: url) == large)
    let small = "SELECT hex(ZBYTES) FROM ZPICTURE WHERE ZNAME = 'small'"
    #expect(try PlainSQL(url: fixture.url).rows(small) == ["0174696E79"])
    #expect(try fixture.storedBytes("large") == large)
    #expect(try fixture.storedBytes("small") == Data("tiny".utf8))
    #expect(try fixture.storedBytes("at the threshold")?.count == 100 << 10)
    #expect(try fixture.storedBytes("empty") == Data())
    #expect(try fixture.storedBytes("none") == nil)
  }

  @Test func aFileIsReadWhenItsValueIsAskedFor() throws {
    let fixture = try ExternalDataFixture()
    let identity = try fixture.insert("a", large)
    let context = fixture.makeContext()
    try context.performAndWait {
      let picture = try context.existingObject(with: identity)
      _ = picture.value(forKey: "name")
      // Nobody has asked for the bytes yet, so it is these that are read.
      fixture.perform { $0.refreshAllObjects() }
      let file = fixture.externalFolder.appendingPathComponent(try #require(fixture.files.first))
      context.refresh(picture, mergeChanges: false)
      _ = picture.value(forKey: "name")
      try other.write(to: file)
      #expect(picture.value(forKey: "bytes") as? Data == other)
    }
  }

  @Test func replacingAndClearingAValueRemovesItsFile() throws {
    let fixture = try ExternalDataFixture()
    let identity = try fixture.insert("a", large)
    let first = fixture.files
    try fixture.perform { context in
      let picture = context.object(with: identity)
      picture.setValue(other, forKey: "bytes")
      try context.save()
    }
    try fixture.expectConsistentFiles(1)
    #expect(fixture.files.isDisjoint(with: first))
    #expect(try fixture.storedBytes("a") == other)
    for (bytes, count) in [(Data([1]), 0), (large, 1), (nil, 0)] as [(Data?, Int)] {
      try fixture.perform { context in
        context.object(with: identity).setValue(bytes, forKey: "bytes")
        try context.save()
      }
      try fixture.expectConsistentFiles(count)
      #expect(try fixture.storedBytes("a") == bytes)
    }
  }

  @Test func savingAnotherPropertyLeavesTheFileAlone() throws {
    let fixture = try ExternalDataFixture()
    let identity = try fixture.insert("a", large)
    let files = fixture.files
    try fixture.perform { context in
      context.reset()
      let picture = context.object(with: identity)
      picture.setValue("b", forKey: "name")
      picture.setValue(large, forKey: "bytes")
      #expect(Set(picture.changedValues().keys) == ["name"])
      try context.save()
    }
    #expect(fixture.files == files)
    #expect(try fixture.storedBytes("b") == large)
  }

  @Test func rollingBackAndFailingLeaveNoFile() throws {
    let fixture = try ExternalDataFixture()
    try fixture.insert("a", large)
    fixture.perform { context in
      let picture = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
      picture.setValue(other, forKey: "bytes")
      context.rollback()
    }
    try fixture.expectConsistentFiles(1)
    #expect(throws: (any Error).self) { try fixture.insert("a", other) }
    try fixture.expectConsistentFiles(1)
    #expect(try fixture.storedBytes("a") == large)
  }

  @Test func aConflictThatIsLostLeavesNoFile() throws {
    let fixture = try ExternalDataFixture()
    let identity = try fixture.insert("a", large)
    let second = try ExternalDataFixture(in: fixture.folder)
    try second.perform { context in
      let theirs = try context.existingObject(with: identity)
      theirs.setValue("theirs", forKey: "name")
      let mine = fixture.context.performAndWait { fixture.context.object(with: identity) }
      fixture.perform { _ in mine.setValue(other, forKey: "bytes") }
      try context.save()
      #expect(throws: (any Error).self) { try fixture.perform { try $0.save() } }
    }
    try fixture.expectConsistentFiles(1)
    #expect(try fixture.storedBytes("theirs") == large)
  }

  @Test func deletingAnObjectOrItsOwnerRemovesFiles() throws {
    let fixture = try ExternalDataFixture()
    let identity = try fixture.insert("alone", large)
    try fixture.perform { context in
      let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
      for seed in 1...3 {
        let picture = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
        picture.setValue(ExternalDataFixture.bytes(200_000, seed: UInt64(seed)), forKey: "bytes")
        picture.setValue(album, forKey: "album")
      }
      try context.save()
      try fixture.expectConsistentFiles(4)
      context.delete(context.object(with: identity))
      try context.save()
      try fixture.expectConsistentFiles(3)
      context.delete(album)
      try context.save()
    }
    try fixture.expectConsistentFiles(0)
  }

  @Test func anUndoneDeletionHasItsBytesAgain() throws {
    let fixture = try ExternalDataFixture()
    let identity = try fixture.insert("a", large)
    try fixture.perform { context in
      context.reset()
      context.undoManager = UndoManager()
      let picture = try context.existingObject(with: identity)
      context.delete(picture)
      try context.save()
      try fixture.expectConsistentFiles(0)
      context.undo()
      try context.save()
    }
    try fixture.expectConsistentFiles(1)
    #expect(try fixture.storedBytes("a") == large)
  }

  @Test func whoHasTheOldRowKeepsItsBytes() throws {
    let fixture = try ExternalDataFixture()
    let identity = try fixture.insert("a", large)
    fixture.perform { $0.reset() }
    let reader = fixture.makeContext()
    let picture = try reader.performAndWait {
      let picture = try reader.existingObject(with: identity)
      _ = picture.value(forKey: "name")
      return picture
    }
    try fixture.perform { context in
      context.object(with: identity).setValue(other, forKey: "bytes")
      try context.save()
    }
    try reader.performAndWait {
      #expect(picture.value(forKey: "bytes") as? Data == large)
      reader.refresh(picture, mergeChanges: true)
      #expect(picture.value(forKey: "bytes") as? Data == other)
      #expect(!reader.hasChanges)
      _ = try reader.existingObject(with: identity)
    }
  }

  @Test func archivedValuesGoToFilesToo() throws {
    let fixture = try ExternalDataFixture()
    let words = (0..<20_000).map { "word \($0)" }
    let identity = try fixture.perform { context in
      let picture = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
      picture.setValue(words as NSArray, forKey: "words")
      try context.save()
      context.reset()
      return picture.objectID
    }
    try fixture.expectConsistentFiles(1)
    try fixture.perform { context in
      let picture = try context.existingObject(with: identity)
      #expect(picture.value(forKey: "words") as? [String] == words)
      context.delete(picture)
      try context.save()
    }
    try fixture.expectConsistentFiles(0)
  }

  @Test func batchesWriteAndRemoveFiles() throws {
    let fixture = try ExternalDataFixture()
    try fixture.perform { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let rows = (0..<3).map { index -> [String: Any] in
        ["name": "p\(index)", "bytes": ExternalDataFixture.bytes(150_000, seed: UInt64(index))]
      }
      _ = try context.execute(NSBatchInsertRequest(entityName: "Picture", objects: rows))
      try fixture.expectConsistentFiles(3)
      // The same name: the value of the row that is there is replaced.
      let again: [[String: Any]] = [["name": "p1", "bytes": large]]
      _ = try context.execute(NSBatchInsertRequest(entityName: "Picture", objects: again))
      try fixture.expectConsistentFiles(3)
      #expect(try fixture.storedBytes("p1") == large)
      let update = NSBatchUpdateRequest(entityName: "Picture")
      update.predicate = NSPredicate(format: "name == 'p2'")
      update.propertiesToUpdate = ["bytes": Data([7])]
      _ = try context.execute(update)
      try fixture.expectConsistentFiles(2)
      let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Picture")
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
    try fixture.expectConsistentFiles(0)
  }

  @Test func aBatchThatFailsLeavesNoFile() throws {
    let fixture = try ExternalDataFixture()
    try fixture.insert("taken", nil)
    let rows: [[String: Any]] = [
      ["name": "new", "bytes": large], ["name": "taken", "bytes": other],
    ]
    #expect(throws: (any Error).self) {
      try fixture.perform {
        try $0.execute(NSBatchInsertRequest(entityName: "Picture", objects: rows))
      }
    }
    try fixture.expectConsistentFiles(0)
  }

  @Test func orphansAreRemovedWhenTheStoreIsOpenedForWriting() throws {
    let fixture = try ExternalDataFixture()
    try fixture.insert("a", large)
    try fixture.close()
    let orphan = fixture.externalFolder.appendingPathComponent(UUID().uuidString)
    let stranger = fixture.externalFolder.appendingPathComponent("Notes.txt")
    for file in [orphan, stranger] { try other.write(to: file) }
    #expect(try fixture.storedBytes("a") == large)
    #expect(fixture.files.count == 3, "opened read-only")
    let again = try ExternalDataFixture(in: fixture.folder)
    #expect(again.files.count == 2)
    #expect(FileManager.default.fileExists(atPath: stranger.path))
    #expect(try again.storedBytes("a") == large)
  }

  @Test func filesOfASaveThatIsUnderWayAreNoOrphans() throws {
    let fixture = try ExternalDataFixture()
    let files = ExternalFiles(folder: fixture.externalFolder, synchronises: false)
    let lock = try files.lockMaking()
    let written = try files.write(large)
    _ = try ExternalDataFixture(in: fixture.folder)
    #expect(fixture.files == [written.name.uuidString])
    withExtendedLifetime(lock) {}
  }

  @Test func aMissingFileIsNilWithAReason() throws {
    let fixture = try ExternalDataFixture()
    let identity = try fixture.insert("a", large)
    let file = try #require(fixture.files.first)
    try FileManager.default.removeItem(at: fixture.externalFolder.appendingPathComponent(file))
    try fixture.perform { context in
      context.reset()
      let picture = try context.existingObject(with: identity)
      #expect("\(try #require(picture.value(forKey: "bytes")))".contains("not where"))
      picture.setValue("b", forKey: "name")
      try context.save()
    }
    #expect(try fixture.namesInRows() == [file], "the reference stays")
  }

  @Test func aReferenceThatIsNoNameIsNotFollowed() throws {
    let fixture = try ExternalDataFixture()
    let identity = try fixture.insert("a", nil)
    let secret = fixture.folder.appendingPathComponent("secret")
    try Data("secret".utf8).write(to: secret)
    try PlainSQL(url: fixture.url).execute(
      "UPDATE ZPICTURE SET ZBYTES = x'02' || CAST('../../secret' AS BLOB) || x'00'")
    try fixture.perform { context in
      context.reset()
      let picture = try context.existingObject(with: identity)
      #expect(picture.value(forKey: "bytes") as? Data == nil)
    }
  }
}
