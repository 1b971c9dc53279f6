import CoreData
import SwiftData

/// The same work through SwiftData and through Core Data, on one file with a history.
extension Scenario {
  private static let peer = "Core Data"

  /// Every row as a model, and every value of each read once.
  static func swiftFetch(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let url = try SwiftStore.fixture(count, in: workspace)
    let container = try SwiftStore.container(url)
    let core = try SwiftStore.context(url)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          let context = ModelContext(container)
          var checksum = Checksum()
          var items: [SwiftStore.Item] = []
          let duration = try ContinuousClock().measure {
            items = try context.fetch(FetchDescriptor<SwiftStore.Item>())
            for item in items { checksum.add(item) }
          }
          return Outcome(duration: duration, checksum: checksum)
        },
        Contestant(name: peer) { _ in
          let context = NSManagedObjectContext(.mainQueue)
          context.persistentStoreCoordinator = core.persistentStoreCoordinator
          var checksum = Checksum()
          var items: [ManagedItem] = []
          let duration = try ContinuousClock().measure {
            items = try context.fetch(NSFetchRequest<ManagedItem>(entityName: "Item"))
            for item in items { checksum.add(item) }
          }
          return Outcome(duration: duration, checksum: checksum)
        },
      ])
  }

  /// Properties of objects that are there: four of each, as often as it takes.
  static func swiftRead(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let url = try SwiftStore.fixture(max(count / 40, 1), in: workspace)
    let context = ModelContext(try SwiftStore.container(url))
    let models = try context.fetch(FetchDescriptor<SwiftStore.Item>())
    let core = try SwiftStore.context(url)
    let objects = try core.fetch(NSFetchRequest<ManagedItem>(entityName: "Item"))
    func run(_ read: @escaping (inout Checksum) -> Void) -> (Int) throws -> Outcome {
      { _ in
        var checksum = Checksum()
        let duration = ContinuousClock().measure { for _ in 0..<10 { read(&checksum) } }
        return Outcome(duration: duration, checksum: checksum)
      }
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours(
          run: run { checksum in
            for model in models { checksum.add(model) }
            withExtendedLifetime(context) {}
          }),
        Contestant(
          name: peer,
          run: run { checksum in
            for object in objects { checksum.add(object) }
            withExtendedLifetime(core) {}
          }),
      ])
  }

  /// New objects in one save.
  static func swiftInsert(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let empty = try SwiftStore.emptyStore(in: workspace)
    let rows = ItemValues.make(count: count)
    func run(_ insert: @escaping (URL) throws -> Duration) -> (Int) throws -> Outcome {
      workspace.onCopies(of: empty) { url, _ in try insert(url) }
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours(
          run: run { url in
            let context = ModelContext(try SwiftStore.container(url))
            return try ContinuousClock().measure {
              for row in rows { context.insert(SwiftStore.Item(row)) }
              try context.save()
            }
          }),
        Contestant(
          name: peer,
          run: run { url in
            let context = try SwiftStore.context(url)
            return try ContinuousClock().measure {
              for row in rows { ManagedItem(context: context).set(row) }
              try context.save()
            }
          }),
      ])
  }

  /// One new object, saved by itself: the mean time of twenty such saves.
  static func swiftSave(in workspace: Workspace) throws -> Scenario {
    let ours = try workspace.copy(of: SwiftStore.emptyStore(in: workspace))
    let theirs = try workspace.copy(of: SwiftStore.emptyStore(in: workspace))
    let context = ModelContext(try SwiftStore.container(ours))
    let core = try SwiftStore.context(theirs)
    func run(
      _ url: URL, _ save: @escaping (ItemValues) throws -> Void
    ) -> (Int) throws -> Outcome {
      { number in
        let rows = (0..<20).map { ItemValues(number * 20 + $0) }
        let duration = try ContinuousClock().measure { for row in rows { try save(row) } }
        return Outcome(duration: duration / rows.count, checksum: try Checksum(ofStore: url))
      }
    }
    return Scenario(
      unit: .microseconds,
      contestants: [
        .ours(
          run: run(ours) {
            context.insert(SwiftStore.Item($0))
            try context.save()
          }),
        Contestant(
          name: peer,
          run: run(theirs) {
            ManagedItem(context: core).set($0)
            try core.save()
          }),
      ])
  }
}
