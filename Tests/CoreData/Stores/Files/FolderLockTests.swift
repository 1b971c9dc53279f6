import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FolderLockTests {
  /// The descriptors of this process that are open on the folder.
  private func descriptors(of folder: URL) throws -> [Int32] {
    let path = folder.resolvingSymlinksInPath().path
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }.compactMap { Int32($0) }
  }

  /// Between fork and exec a child has a copy of every descriptor, also of those that exec closes.
  @Test func aChildThatIsBeingStartedDoesNotKeepIt() throws {
    let folder = try StoreFixture.makeFolder()
    var lock = FolderLock(folder, kind: .alone)
    #expect(lock != nil)
    let copies = try descriptors(of: folder).map { dup($0) }
    #expect(copies.count == 1)
    #expect(FolderLock(folder, kind: .aloneAtOnce) == nil)
    lock = nil
    #expect(FolderLock(folder, kind: .aloneAtOnce) != nil)
    for copy in copies { close(copy) }
  }
}
