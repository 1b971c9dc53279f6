import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Every write of a save fails once, and the disk is full at every write: what was saved before is there
/// afterwards, nothing is there by halves, and no file of external data too many or too few.
@Suite(.serialized) struct WriteFailureTests {
  private let large = ExternalDataFixture.bytes(200_000)
  private let other = ExternalDataFixture.bytes(300_000, seed: 2)

  private func contents(_ fixture: ExternalDataFixture) throws -> [String] {
    let context = fixture.makeContext()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      return try context.fetch(request).map { picture in
        let bytes = picture.value(forKey: "bytes") as? Data
        return "\(picture.value(forKey: "name") ?? "") \(bytes?.hashValue ?? 0)"
      }.sorted()
    }
  }

  /// Replaces one file, removes another, adds a third.
  private func change(_ fixture: ExternalDataFixture) throws {
    try fixture.perform { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      for picture in try context.fetch(request) {
        if picture.value(forKey: "name") as? String == "a" {
          picture.setValue(other, forKey: "bytes")
        } else {
          context.delete(picture)
        }
      }
      let new = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
      new.setValue("c", forKey: "name")
      new.setValue(large, forKey: "bytes")
      try context.save()
    }
  }

  private func after() -> [String] { ["a \(other.hashValue)", "c \(large.hashValue)"] }

  @Test(arguments: ["WAL", "DELETE"], FaultyFileSystem.Fault.allCases)
  func aSaveIsWholeOrNotAtAll(_ journal: String, _ fault: FaultyFileSystem.Fault) throws {
    try FaultDrill.run(fault, journal) { drill in
      let fixture = try ExternalDataFixture(in: drill.folder, options: drill.options)
      try fixture.insert("a", large)
      try fixture.insert("b", other)
      let before = try contents(fixture)
      let error = drill.whileFailing { try change(fixture) }
      let comment: Comment = "\(drill.comment): \(error.map { "\($0.code)" } ?? "saved")"
      #expect(error?.domain ?? NSCocoaErrorDomain == NSCocoaErrorDomain, comment)
      if error == nil { #expect(try contents(fixture) == after(), comment) }
      try fixture.close()
      let again = try ExternalDataFixture(in: drill.folder, options: drill.options)
      let found = try contents(again)
      #expect(error == nil ? found == after() : found == before || found == after(), comment)
      try again.expectConsistentFiles(2, comment)
      if found == before { try change(again) }
      #expect(try contents(again) == after(), comment)
      try again.expectConsistentFiles(2, comment)
      try again.close()
      return again.url
    }
  }

  @Test func aSaveThatFailedCanBeRepeatedAtOnce() throws {
    let folder = try StoreFixture.makeFolder()
    let injector = FaultyFileSystem.inject(into: folder)
    let fixture = try ExternalDataFixture(in: folder)
    try fixture.insert("a", large)
    try fixture.insert("b", other)
    injector.arm(.fullDisk, at: 1)
    let error = #expect(throws: NSError.self) { try change(fixture) }
    #expect(error?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
    _ = injector.disarm()
    try fixture.perform { try $0.save() }
    #expect(try contents(fixture) == after())
    try fixture.expectConsistentFiles(2)
  }

  @Test func aFileThatCannotBeWrittenFailsTheSave() throws {
    let fixture = try ExternalDataFixture()
    // A file where the folder should be.
    let support = fixture.externalFolder.deletingLastPathComponent()
    try Data().write(to: support)
    #expect(throws: NSError.self) { try fixture.insert("a", large) }
    #expect(try PlainSQL(url: fixture.url).rows("SELECT COUNT(*) FROM ZPICTURE") == ["0"])
    try FileManager.default.removeItem(at: support)
    try fixture.perform { try $0.save() }
    try fixture.expectConsistentFiles(1)
  }

  enum FileFault: CaseIterable {
    case creating, writing, writingSomeOfIt, synchronising

    /// Calls that fail at the second file, with a full disk or an error of the disk.
    func calls() -> FileCalls {
      let files = Counter()
      var calls = FileCalls()
      let plain = calls
      calls.create = { [self] path in
        guard files.next() == 2, self == .creating else { return plain.create(path) }
        errno = EROFS
        return -1
      }
      calls.write = { [self] descriptor, bytes in
        guard files.number == 2, self == .writing || self == .writingSomeOfIt else {
          return plain.write(descriptor, bytes)
        }
        if self == .writingSomeOfIt, bytes.count == 300_000 {
          return plain.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(60_000)))
        }
        errno = ENOSPC
        return -1
      }
      calls.synchronise = { [self] descriptor in
        guard files.number == 2, self == .synchronising else {
          return plain.synchronise(descriptor)
        }
        errno = EIO
        return -1
      }
      return calls
    }

    private final class Counter: Sendable {
      private let count = Mutex(0)
      var number: Int { count.withLock { $0 } }
      func next() -> Int {
        count.withLock {
          $0 += 1
          return $0
        }
      }
    }
  }

  @Test(arguments: FileFault.allCases)
  func aFileThatFailsToBeWrittenLeavesNoneBehind(_ fault: FileFault) throws {
    let fixture = try ExternalDataFixture()
    try fixture.insert("a", large)
    let before = try contents(fixture)
    fixture.perform { context in
      for name in ["b", "c"] {
        let new = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
        new.setValue(name, forKey: "name")
        new.setValue(other, forKey: "bytes")
      }
      let error = #expect(throws: NSError.self) {
        try FileCalls.$current.withValue(fault.calls()) { try context.save() }
      }
      let codes: [CocoaError.Code] = [
        .fileWriteNoPermission, .fileWriteOutOfSpace, .persistentStoreSave,
      ]
      #expect(codes.contains { $0.rawValue == error?.code }, "\(fault): \(error as Any)")
      #expect(error?.userInfo[NSUnderlyingErrorKey] is POSIXError)
      #expect(context.insertedObjects.count == 2)
    }
    #expect(try contents(fixture) == before)
    try fixture.expectConsistentFiles(1)
    // The same save, when the disk is well again.
    try fixture.perform { try $0.save() }
    #expect(try contents(fixture).count == 3)
    try fixture.expectConsistentFiles(3)
  }

  @Test func anInterruptedWriteGoesOn() throws {
    let fixture = try ExternalDataFixture()
    let plain = FileCalls()
    let interruptions = Mutex(0)
    var calls = plain
    calls.write = { descriptor, bytes in
      let isInterrupted = interruptions.withLock { count in
        count += 1
        return count % 2 == 1
      }
      if isInterrupted {
        errno = EINTR
        return -1
      }
      return plain.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(50_000)))
    }
    try FileCalls.$current.withValue(calls) { try fixture.insert("a", large) }
    #expect(try fixture.storedBytes("a") == large)
  }
}
