import CoreDataSupport
import Foundation
import Testing
import TestSupport

@testable import CoreData
@testable import CoreDataSamples

/// Section caches over SQLite files. Each test has a cache name of its own.
@Suite struct FetchedResultsCacheTests {
  private func with(_ body: (FetchedStack, String) throws -> Void) throws {
    let name = "Books \(UUID().uuidString)"
    defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
    try FetchedStack.with(NSSQLiteStoreType) { stack in
      for (title, group) in [("a", "x"), ("b", "x"), ("c", "y")] {
        stack.makeBook(title, group: group)
      }
      try stack.context.save()
      stack.context.reset()
      try body(stack, name)
    }
  }

  /// Fetches, in a context of its own; `isCached` says whether the sections come from the cache.
  private func expectFetch(
    _ stack: FetchedStack, _ name: String?, _ keys: [String] = ["group", "title"],
    sections: String = "group", predicate: String? = nil, outline: [String] = ["x: 2", "y: 1"],
    isCached: Bool
  ) throws {
    let context = stack.coordinator.makeContext()
    try context.performAndWait {
      let controller = NSFetchedResultsController(
        fetchRequest: stack.request(keys, predicate: predicate), managedObjectContext: context,
        sectionNameKeyPath: sections, cacheName: name)
      try controller.performFetch()
      let found = (controller.sections ?? []).map { "\($0.name): \($0.numberOfObjects)" }
      #expect(found == outline)
      #expect(controller.engine.hasCachedSections == isCached)
    }
  }

  /// Other processes would take the store for one that nobody has open.
  @Test func cachingGivesUpNoLockOfTheStore() throws {
    try with { stack, name in
      let url = try #require(stack.coordinator.persistentStores[0].url)
      let facts = try FileManager.default.attributesOfItem(atPath: url.path)
      let number = try #require(facts[.systemFileNumber] as? NSNumber)
      // What the system says of each file that this process has open.
      let folder = URL(fileURLWithPath: "/proc/self/fdinfo")
      func waitForLock() throws {
        try Patience.wait(for: "the lock of the store") {
          let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
          return names.contains { name in
            // A file that another test has closed meanwhile.
            let words = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return words?.split(separator: "\n").contains {
              $0.hasPrefix("lock:") && $0.contains(":\(number) ")
            } == true
          }
        }
      }
      try waitForLock()
      try expectFetch(stack, name, isCached: false)
      try expectFetch(stack, name, isCached: true)
      try waitForLock()
    }
  }

  @Test func aSecondFetchTakesTheSectionsFromTheCache() throws {
    try with { stack, name in
      try expectFetch(stack, name, isCached: false)
      try expectFetch(stack, name, isCached: true)
      try expectFetch(stack, nil, isCached: false)
    }
  }

  @Test func aCacheOutlivesItsCoordinator() throws {
    let name = "Books \(UUID().uuidString)"
    defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("FetchedResults-\(UUID().uuidString)")
    // A folder that cannot be removed is left to the system.
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func run(fills: Bool) throws -> Bool {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BookModel.make())
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil,
        at: folder.appendingPathComponent("Books.sqlite"))
      let context = coordinator.makeContext()
      let isCached = try context.performAndWait {
        if fills {
          context.makeBook("a", group: "x")
          try context.save()
          context.reset()
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "group", ascending: true)]
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "group",
          cacheName: name)
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == ["x"])
        return controller.engine.hasCachedSections
      }
      try coordinator.remove(store)
      return isCached
    }
    #expect(try !run(fills: true))
    // Closing the store moved its log into it.
    _ = try run(fills: false)
    #expect(try run(fills: false))
  }

  @Test func anotherOriginMakesTheCacheAnew() throws {
    try with { stack, name in
      try expectFetch(stack, name, isCached: false)
      try expectFetch(stack, name, ["group", "-title"], isCached: false)
      try expectFetch(stack, name, ["group", "-title"], isCached: true)
      try expectFetch(
        stack, name, ["-group", "title"], outline: ["y: 1", "x: 2"], isCached: false)
      try expectFetch(
        stack, name, sections: "title", outline: ["a: 1", "b: 1", "c: 1"], isCached: false)
      try expectFetch(
        stack, name, predicate: "title != 'b'", outline: ["x: 1", "y: 1"], isCached: false)
      try expectFetch(stack, name, predicate: "title != 'z'", isCached: false)
      try expectFetch(stack, name, predicate: "title != 'z'", isCached: true)
    }
  }

  @Test func everyKeyOfTheOriginCounts() throws {
    let cache = SectionCache(
      directory: FileManager.default.temporaryDirectory
        .appendingPathComponent("Sections-\(UUID().uuidString)"))
    defer { cache.delete(nil) }
    let origin = SectionCache.Origin(
      entityName: "Book", entityVersionHash: Data([1]), sectionNameKeyPath: "group",
      sortDescriptors: ["group ascending compare:"], predicate: nil, locale: "en",
      stores: ["one"], count: 3, digest: 7)
    let sections = [FetchedSection(name: "x", size: 2), FetchedSection(name: "y", size: 1)]
    cache.keep(sections, name: "books", of: origin)
    #expect(cache.sections("books", of: origin)?.map(\.name) == ["x", "y"])
    #expect(cache.sections("books", of: origin)?.map(\.size) == [2, 1])
    let changes: [(inout SectionCache.Origin) -> Void] = [
      { $0.format = 2 }, { $0.entityName = "Shelf" }, { $0.entityVersionHash = Data([2]) },
      { $0.sectionNameKeyPath = "title" }, { $0.sortDescriptors = [] }, { $0.predicate = "true" },
      { $0.locale = "tr" }, { $0.stores = ["two"] }, { $0.count = 4 }, { $0.digest = 8 },
    ]
    for change in changes {
      var other = origin
      change(&other)
      #expect(cache.sections("books", of: other) == nil)
    }
    cache.delete("books")
    #expect(cache.sections("books", of: origin) == nil)
  }

  @Test func aSaveMakesTheCacheAnew() throws {
    try with { stack, name in
      try expectFetch(stack, name, isCached: false)
      // The order stays, the section does not.
      try stack.context.book("c").setValue("z", forKey: "group")
      try stack.context.save()
      try expectFetch(stack, name, outline: ["x: 2", "z: 1"], isCached: false)
      try expectFetch(stack, name, outline: ["x: 2", "z: 1"], isCached: true)
    }
  }

  @Test func changesThatAreNotSavedAreNotCached() throws {
    try with { stack, name in
      stack.makeBook("d", group: "z")
      let controller = NSFetchedResultsController(
        fetchRequest: stack.request(["group"]), managedObjectContext: stack.context,
        sectionNameKeyPath: "group", cacheName: name)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["x", "y", "z"])
      let file = SectionCache.standard.url(name)
      #expect(!FileManager.default.fileExists(atPath: file.path))
      try expectFetch(stack, name, isCached: false)
    }
  }

  @Test func deletingACacheLeavesTheOthers() throws {
    try with { stack, name in
      let other = name + " too"
      defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: other) }
      try expectFetch(stack, name, isCached: false)
      try expectFetch(stack, other, isCached: false)
      NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name)
      try expectFetch(stack, name, isCached: false)
      try expectFetch(stack, other, isCached: true)
    }
  }

  /// In a process and a folder of its own: other tests have caches too.
  @Test func allCachesOfAProgramAreDeleted() async {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      setenv("XDG_CACHE_HOME", folder.url.path, 1)
      let cache = SectionCache.standard
      try #require(cache.directory.path.hasPrefix(folder.url.path))
      try FetchedStack.with(NSSQLiteStoreType) { stack in
        stack.makeBook("a", group: "x")
        try stack.context.save()
        stack.context.reset()
        try NSFetchedResultsController(
          fetchRequest: stack.request(["group"]), managedObjectContext: stack.context,
          sectionNameKeyPath: "group", cacheName: "a name"
        ).performFetch()
        #expect(FileManager.default.fileExists(atPath: cache.url("a name").path))
        NSFetchedResultsController<NSManagedObject>.deleteCache(withName: nil)
        #expect(!FileManager.default.fileExists(atPath: cache.directory.path))
      }
    }
  }

  @Test func allCachesAreDeletedAtOnce() {
    let cache = SectionCache(
      directory: FileManager.default.temporaryDirectory
        .appendingPathComponent("Sections-\(UUID().uuidString)"))
    let origin = SectionCache.Origin(
      entityName: "Book", entityVersionHash: Data(), sectionNameKeyPath: "group",
      sortDescriptors: [], predicate: nil, locale: "", stores: [], count: 1, digest: 0)
    for name in ["one", "two/../two", ""] {
      cache.keep([FetchedSection(name: name, size: 1)], name: name, of: origin)
      #expect(cache.sections(name, of: origin)?.map(\.name) == [name])
    }
    cache.delete(nil)
    for name in ["one", "two/../two", ""] { #expect(cache.sections(name, of: origin) == nil) }
  }

  @Test func aDamagedCacheIsMadeAnew() throws {
    try with { stack, name in
      try expectFetch(stack, name, isCached: false)
      let file = SectionCache.standard.url(name)
      let sound = try Data(contentsOf: file)
      for damaged in [Data(), Data("no list".utf8), sound.prefix(sound.count / 2)] {
        try damaged.write(to: file)
        try expectFetch(stack, name, isCached: false)
        try expectFetch(stack, name, isCached: true)
      }
    }
  }

  @Test func sectionsThatDoNotAddUpAreMadeAnew() throws {
    try with { stack, name in
      try expectFetch(stack, name, isCached: false)
      let file = SectionCache.standard.url(name)
      let sound = try PropertyListDecoder().decode(
        SectionCache.Contents.self, from: Data(contentsOf: file))
      let damages: [(inout SectionCache.Contents) -> Void] = [
        { $0.names = ["x", "x"] }, { $0.sizes = [2, 2] }, { $0.sizes = [3, 0] },
        { $0.names = ["x"] }, { $0.sizes = [4, -1] },
      ]
      for damage in damages {
        var contents = sound
        damage(&contents)
        try PropertyListEncoder().encode(contents).write(to: file)
        try expectFetch(stack, name, isCached: false)
      }
    }
  }
}
