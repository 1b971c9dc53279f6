import CoreData
import Testing

@testable import CoreDataSamples

/// Whatever others have changed, and whoever tells a context of it: each relationship leads where
/// it leads in the store, for every kind of relationship, delete rule and state in memory, before the
/// context's own save and after it.
@Suite struct MergedShapesTests {
  /// Who tells.
  enum Way: String, CaseIterable, Sendable {
    /// Another context's notification.
    case save
    /// The context follows the coordinator by itself.
    case itself
    /// The context is a child of the one that saves.
    case parent
    /// The IDs of what was changed itself, as of a batch request.
    case ids
    /// A transaction of the history, written through another coordinator.
    case history

    var needsBatches: Bool { self == .ids || self == .history }
  }

  enum Change: String, CaseIterable, Sendable {
    case insertMember, moveMember, renameMember, deleteMember, deleteOwner
    case batchInsert, batchUpdate, batchDelete, batchDeleteOwner

    var isBatch: Bool { rawValue.hasPrefix("batch") }
    var deletesOwner: Bool { self == .deleteOwner || self == .batchDeleteOwner }
  }

  /// What the context has in memory, and has changed, before it is told.
  enum Memory: String, CaseIterable, Sendable { case read, faults, edited, extended }

  struct Case: CustomTestStringConvertible, Sendable {
    let kind: StoreKind
    let way: Way
    var testDescription: String { "\(kind.rawValue), \(way)" }
  }

  // The tests' own incremental store fails for a reference to what is gone, which a rule of no action
  // leaves.
  static let cases = StoreKind.all.filter { $0 != .clientIncremental }.flatMap { kind in
    Way.allCases.filter { !$0.needsBatches || kind.hasBatches }.map { Case(kind: kind, way: $0) }
  }

  @Test(arguments: Sample.of(cases))
  func relationshipsAreThoseOfTheStore(_ tried: Case) throws {
    let options = tried.kind.hasHistory ? HistoryStack.tracking : [:]
    func makeStack() throws -> HistoryStack {
      try HistoryStack(MergedShapes.make(), kind: tried.kind, options: options)
    }
    var stack = try makeStack()
    var differences: [String] = []
    var run = 0
    for change in Change.allCases where !change.isBatch || tried.way.needsBatches {
      for memory in Memory.allCases {
        run += 1
        // A file that is written as a whole stays small.
        if !tried.kind.speaksSQL { stack = try makeStack() }
        let wrong = try difference(stack, tried.way, change, memory, run)
        if !wrong.isEmpty { differences.append("\(change), \(memory): \(wrong)") }
      }
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  private func difference(
    _ stack: HistoryStack, _ way: Way, _ change: Change, _ memory: Memory, _ run: Int
  ) throws -> String {
    try stack.write { MergedShapes.fill($0, run: run) }
    let writer =
      way == .history ? stack.context(of: try stack.secondCoordinator()) : stack.context()
    let reader = reader(stack, way, writer)
    let held = try reader.performAndWait { try prepare(reader, memory, run) }
    try tell(reader, of: change, by: way, stack, writer, run)
    return try reader.performAndWait {
      var texts: [String] = []
      if memory != .extended { texts.append(try compare(stack, reader, run)) }
      reader.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      do { try reader.save() } catch { texts.append("the save failed: \(error)") }
      if reader.parent != nil {
        do { try writer.performAndWait { try writer.save() } } catch {
          texts.append("the parent's save failed: \(error)")
        }
      }
      texts.append(try compare(stack, reader, run))
      return withExtendedLifetime(held) {
        texts.filter { !$0.isEmpty }.joined(separator: "; afterwards ")
      }
    }
  }

  private func reader(
    _ stack: HistoryStack, _ way: Way, _ writer: NSManagedObjectContext
  ) -> NSManagedObjectContext {
    let reader = NSManagedObjectContext(.privateQueue)
    if way == .parent {
      reader.parent = writer
    } else {
      reader.persistentStoreCoordinator = stack.coordinator
    }
    reader.automaticallyMergesChangesFromParent = way == .itself || way == .parent
    return reader
  }

  private func prepare(
    _ reader: NSManagedObjectContext, _ memory: Memory, _ run: Int
  ) throws -> [NSManagedObject] {
    let held = try MergedShapes.objects(run: run, in: reader)
    for object in held {
      if memory == .faults {
        reader.refresh(object, mergeChanges: false)
      } else {
        MergedShapes.relationships(of: object).forEach { _ = MergedShapes.text(object, $0) }
      }
    }
    for kind in MergedShapes.kinds {
      let owners = held.filter { $0.entity.name == kind.entity }
      if memory == .edited { owners[0].setValue("edited", forKey: "note") }
      if memory == .extended, kind.shape.isToMany {
        let new = reader.insert("Member", ["name": "\(kind.entity) new", "run": run])
        MergedShapes.set(owners[0], kind, MergedShapes.members(owners[0]) + [new])
      }
    }
    return held
  }

  /// How the relationships differ from what a new context reads. What is edited is that context's.
  private func compare(
    _ stack: HistoryStack, _ reader: NSManagedObjectContext, _ run: Int
  ) throws -> String {
    let fresh = stack.context()
    let expected = try fresh.performAndWait { try MergedShapes.graph(run: run, in: fresh) }
    let found = try MergedShapes.graph(run: run, in: reader)
    let keys = Set(expected.keys).union(found.keys).filter { expected[$0] != found[$0] }
    let wrong = keys.filter { !$0.hasSuffix(".note") || !reader.hasChanges }
    return wrong.sorted()
      .map { "\($0) is \(found[$0] ?? "gone"), in the store \(expected[$0] ?? "nowhere")" }
      .joined(separator: "; ")
  }

  // MARK: - Changing, and telling

  private func tell(
    _ reader: NSManagedObjectContext, of change: Change, by way: Way, _ stack: HistoryStack,
    _ writer: NSManagedObjectContext, _ run: Int
  ) throws {
    let told = Told<Notification?>(nil)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
    ) { told.value = $0 }
    defer { NotificationCenter.default.removeObserver(observer) }
    let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
    let ids = try writer.performAndWait { try make(change, in: writer, run) }
    try reader.performAndWait {
      switch way {
      case .save: reader.mergeChanges(fromContextDidSave: try #require(told.value))
      case .itself, .parent: break
      case .ids: NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [reader])
      case .history:
        for transaction in try stack.transactions(.fetchHistory(after: token)) {
          reader.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
      }
    }
  }

  /// Gives the IDs of what was changed itself, without other ends.
  private func make(
    _ change: Change, in writer: NSManagedObjectContext, _ run: Int
  ) throws -> [String: [NSManagedObjectID]] {
    func firsts(_ entity: String) throws -> [NSManagedObject] {
      try MergedShapes.objects(
        entity, entity == "Member" ? "name ENDSWITH ' a'" : "name == 'first'", run: run, in: writer)
    }
    /// Those that a deletion of owners concerns: a rule that denies it has its way.
    let deletable = MergedShapes.kinds.filter { $0.rule != .denyDeleteRule || $0.isBack }
    switch change {
    case .insertMember:
      var owners: [NSManagedObjectID] = []
      let new = try MergedShapes.kinds.map { kind in
        let new = writer.insert("Member", ["name": "\(kind.entity) z", "run": run])
        for owner in try firsts(kind.entity) {
          let others = kind.shape.isToMany ? MergedShapes.members(owner) : []
          MergedShapes.set(owner, kind, others + [new])
          owners.append(owner.objectID)
        }
        return new
      }
      try writer.save()
      return [NSInsertedObjectIDsKey: new.map(\.objectID), NSUpdatedObjectIDsKey: owners]
    case .moveMember:
      let members = try MergedShapes.kinds.flatMap { kind in
        let owners = try MergedShapes.objects(kind.entity, run: run, in: writer)
        let members = MergedShapes.members(owners[0])
        MergedShapes.set(owners[0], kind, Array(members.dropFirst()))
        MergedShapes.set(owners[1], kind, [members[0]])
        return [members[0]] + owners
      }
      return try saved(members, NSUpdatedObjectIDsKey, writer)
    case .renameMember:
      let members = try firsts("Member")
      for member in members { member.setValue("renamed", forKey: "note") }
      return try saved(members, NSUpdatedObjectIDsKey, writer)
    case .deleteMember, .deleteOwner:
      let doomed =
        try change == .deleteMember ? firsts("Member") : deletable.flatMap { try firsts($0.entity) }
      doomed.forEach(writer.delete)
      writer.processPendingChanges()
      let all = writer.deletedObjects.map(\.objectID)
      try writer.save()
      return [NSDeletedObjectIDsKey: all]
    case .batchInsert:
      let request = NSBatchInsertRequest(
        entityName: "Member",
        objects: MergedShapes.kinds.map { ["name": "\($0.entity) z", "run": run] })
      request.resultType = .objectIDs
      let result = try writer.execute(request) as? NSBatchInsertResult
      return [NSInsertedObjectIDsKey: try #require(result?.result as? [NSManagedObjectID])]
    case .batchUpdate:
      let request = NSBatchUpdateRequest(entityName: "Member")
      request.predicate = NSPredicate(format: "run == \(run) AND name ENDSWITH ' a'")
      request.propertiesToUpdate = ["note": "renamed"]
      request.resultType = .updatedObjectIDsResultType
      let result = try writer.execute(request) as? NSBatchUpdateResult
      return [NSUpdatedObjectIDsKey: try #require(result?.result as? [NSManagedObjectID])]
    case .batchDelete, .batchDeleteOwner:
      let entities = change == .batchDelete ? ["Member"] : deletable.map(\.entity)
      var gone: [NSManagedObjectID] = []
      for entity in entities {
        let ids = try firsts(entity).map(\.objectID)
        if ids.isEmpty { continue }
        let request = NSBatchDeleteRequest(objectIDs: ids)
        request.resultType = .resultTypeObjectIDs
        let result = try writer.execute(request) as? NSBatchDeleteResult
        gone += try #require(result?.result as? [NSManagedObjectID])
      }
      return [NSDeletedObjectIDsKey: gone]
    }
  }

  private func saved(
    _ objects: [NSManagedObject], _ key: String, _ writer: NSManagedObjectContext
  ) throws -> [String: [NSManagedObjectID]] {
    try writer.save()
    return [key: objects.map(\.objectID)]
  }
}
