import CoreData
import Foundation
import ListKit
import TestSupport
import Testing

@testable import ListApplication

/// Windows of one store, which take over each other's saves in turns.
@MainActor @Suite struct MergePaceTests {
  private static let model: NSManagedObjectModel = {
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    title.isOptional = true
    let entity = NSEntityDescription()
    entity.name = "Row"
    entity.properties = [title]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  private static func makeStack(_ folder: TemporaryFolder) throws -> PersistentStack {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Rows.sqlite"))
    return PersistentStack(coordinator, name: "Rows", timeout: 5)
  }

  private static func titles(_ context: NSManagedObjectContext) -> [String] {
    context.registeredObjects.compactMap { $0.value(forKey: "title") as? String }.sorted()
  }

  @Test func aSaveReachesAllWindows() async throws {
    let folder = try TemporaryFolder()
    let stack = try Self.makeStack(folder)
    let contexts = (0..<100).map { _ in stack.makeContext() }
    let row = NSEntityDescription.insertNewObject(forEntityName: "Row", into: contexts[0])
    row.setValue("a", forKey: "title")
    try contexts[0].save()
    let rows = try contexts.map { try $0.existingObject(with: row.objectID) }
    #expect(rows.allSatisfy { $0.value(forKey: "title") as? String == "a" })
    var draws = 0
    for case let context as WindowContext in contexts {
      context.onTurn = { [unowned context] in
        context.mergeWaitingSaves()
        draws += 1
      }
    }
    // Several saves in one turn.
    for number in 1...5 {
      row.setValue("\(number)", forKey: "title")
      try contexts[0].save()
    }
    #expect(rows.dropFirst().allSatisfy { $0.value(forKey: "title") as? String == "a" })
    try await Patience.waiting(for: "all windows") {
      rows.allSatisfy { $0.value(forKey: "title") as? String == "5" }
    }
    #expect(draws == 99, "each of the others once, for all saves")
    // And again, after all have had their turns.
    rows[50].setValue("last", forKey: "title")
    try contexts[50].save()
    try await Patience.waiting(for: "all windows") {
      rows.allSatisfy { $0.value(forKey: "title") as? String == "last" }
    }
  }

  /// It does not wait for its turn.
  @Test func aWindowKnowsWhatOthersHaveSavedBeforeItsUserDoesSomething() throws {
    let folder = try TemporaryFolder()
    let stack = try Self.makeStack(folder)
    let (mine, theirs) = (stack.makeContext(), stack.makeContext())
    let scene = UIWindowScene()
    let saving = SavingScene(scene, context: mine, rootViewController: UIViewController())
    scene.delegate = saving
    let row = NSEntityDescription.insertNewObject(forEntityName: "Row", into: theirs)
    row.setValue("theirs", forKey: "title")
    try theirs.save()
    let known = try mine.existingObject(with: row.objectID)
    #expect(known.value(forKey: "title") as? String == "theirs")
    row.setValue("newer", forKey: "title")
    try theirs.save()
    #expect(known.value(forKey: "title") as? String == "theirs")
    #expect(saving.isBehind)
    scene.following?.takeOver()
    #expect(!saving.isBehind)
    #expect(known.value(forKey: "title") as? String == "newer")
  }

  /// Saves of a background context come from another thread.
  @Test func whatIsSavedBesideTheWindowsReachesThem() async throws {
    let folder = try TemporaryFolder()
    let stack = try Self.makeStack(folder)
    let window = stack.makeContext()
    let beside = stack.makeBackgroundContext()
    let id = try await beside.perform {
      let row = NSEntityDescription.insertNewObject(forEntityName: "Row", into: beside)
      row.setValue("a", forKey: "title")
      try beside.save()
      return row.objectID
    }
    let row = try window.existingObject(with: id)
    try await beside.perform {
      try beside.existingObject(with: id).setValue("b", forKey: "title")
      try beside.save()
    }
    try await Patience.waiting(for: "the save") { row.value(forKey: "title") as? String == "b" }
  }

  /// A window that is closed meanwhile is in nobody's way.
  @Test func aWindowThatIsGoneIsNotWaitedFor() async throws {
    let folder = try TemporaryFolder()
    let stack = try Self.makeStack(folder)
    let writer = stack.makeContext()
    let last = stack.makeContext()
    let row = NSEntityDescription.insertNewObject(forEntityName: "Row", into: writer)
    try writer.save()
    let known = try last.existingObject(with: row.objectID)
    for number in 0..<20 {
      let closing = stack.makeContext()
      row.setValue("\(number)", forKey: "title")
      try writer.save()
      withExtendedLifetime(closing) {}
    }
    try await Patience.waiting(for: "the last window") {
      known.value(forKey: "title") as? String == "19"
    }
  }
}
