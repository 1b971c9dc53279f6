import Dispatch
import FoundationSupport
import Synchronization
import Testing

@Suite final class FileCoordinatorTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("coordinated.\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  @Test func everyWayToCoordinateGivesThePlaces() throws {
    let (store, copy) = (file("Store"), file("Copy"))
    var error: NSError?
    let coordinator = NSFileCoordinator(filePresenter: nil)
    coordinator.coordinate(writingItemAt: store, options: .forReplacing, error: &error) { url in
      #expect((try? Data([1]).write(to: url)) != nil)
      NSFileCoordinator().coordinate(readingItemAt: url, error: nil) { inner in
        #expect(try! Data(contentsOf: inner) == Data([1]))
      }
    }
    coordinator.coordinate(
      readingItemAt: store, options: [], writingItemAt: copy, options: .forMoving, error: nil
    ) { from, to in
      #expect((try? FileManager.default.copyItem(at: from, to: to)) != nil)
    }
    coordinator.coordinate(
      writingItemAt: store, options: .forDeleting, writingItemAt: copy, options: [], error: &error,
      byAccessor: { first, second in
        for url in [first, second] {
          #expect((try? FileManager.default.removeItem(at: url)) != nil)
        }
      })
    #expect(error == nil)
    #expect(!FileManager.default.fileExists(atPath: store.path))
    #expect(!FileManager.default.fileExists(atPath: copy.path))
  }

  @Test func whatIsCoordinatedRunsOneAtATime() {
    let running = Atomic(0)
    let most = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 50) { _ in
      let url = URL(fileURLWithPath: "/tmp/store")
      NSFileCoordinator().coordinate(writingItemAt: url, error: nil) { _ in
        most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        running.subtract(1, ordering: .relaxed)
      }
    }
    #expect(most.load(ordering: .relaxed) == 1)
  }

  @Test func aReplacedItemGivesThePlaceOfTheResult() throws {
    let (old, new) = (file("Old"), file("New"))
    for (content, withPlace) in [("a", false), ("b", true)] {
      try Data("old".utf8).write(to: old)
      try Data(content.utf8).write(to: new)
      var place: NSURL?
      if withPlace {
        try FileManager.default.replaceItem(
          at: old, withItemAt: new, backupItemName: nil, options: [], resultingItemURL: &place)
        #expect(place?.path == old.path)
      } else {
        try FileManager.default.replaceItem(
          at: old, withItemAt: new, backupItemName: nil, options: [.usingNewMetadataOnly],
          resultingItemURL: nil)
      }
      #expect(try Data(contentsOf: old) == Data(content.utf8))
      #expect(!FileManager.default.fileExists(atPath: new.path))
    }
  }
}
