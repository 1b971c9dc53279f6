import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// What others have written, and who tells a context of it: afterwards the relationships here are those of the store, at both
/// ends, whatever was in memory. A deletion that only a batch request's result tells of left its members among those of
/// their owners.
@Suite struct OtherEndsTests {
  /// What is told, and how.
  enum Way: String, CaseIterable, Sendable {
    /// Another context's notification.
    case save
    /// The IDs of what was changed, as of a batch request or of another process.
    case ids
    case uris
    /// A transaction of the history.
    case history
  }

  enum Change: String, CaseIterable, Sendable {
    case deleteMember, deleteOwner, insertMember, moveMember, renameMember
    /// By batch requests, which the context's own coordinator carries out.
    case batchDelete, batchDeleteOwner, batchUpdate

    var isBatch: Bool { rawValue.hasPrefix("batch") }
  }

  /// What the context has in memory, and has changed, before it is told.
  enum Memory: String, CaseIterable, Sendable {
    case everything, ownersAlone, faults, unsavedEdit
  }

  static let relationships = [
    "members", "kept", "ordered", "partners", "orderedPartners", "twin", "friends", "favourite",
  ]

  @Test(arguments: Sample.of(StoreKind.all.filter(\.hasBatches), Way.allCases))
  func agreeWithTheStore(_ kind: StoreKind, _ way: Way) throws {
    var differences: [String] = []
    for change in Change.allCases where !(change.isBatch && way == .save) {
      for memory in Memory.allCases {
        let wrong = try difference(kind, way, change, memory)
        if !wrong.isEmpty { differences.append("\(change), \(memory): \(wrong)") }
      }
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  private func difference(
    _ kind: StoreKind, _ way: Way, _ change: Change, _ memory: Memory
  ) throws -> String {
    let stack = try HistoryStack(OwnerModel.make(), kind: kind)
    try stack.write { OwnerModel.fill($0) }
    let reader = stack.context()
    return try reader.performAndWait {
      let held = try OwnerModel.objects(in: reader)
      for object in held where memory != .faults && object.entity.name == "Owner" {
        for name in Self.relationships { _ = OwnerModel.text(object, name) }
      }
      if memory == .ownersAlone {
        for object in held where object.entity.name != "Owner" {
          reader.refresh(object, mergeChanges: false)
        }
      }
      if memory == .unsavedEdit { held[0].setValue("edited", forKey: "note") }
      try tell(reader, of: change, by: way, stack)
      let fresh = stack.context()
      let expected = try fresh.performAndWait { try OwnerModel.graph(in: fresh) }
      let found = try withExtendedLifetime(held) { try OwnerModel.graph(in: reader) }
      let wrong = found.filter { expected[$0.key] != $0.value }
      return wrong.sorted { $0.key < $1.key }
        .map { "\($0.key) is \($0.value), in the store \(expected[$0.key] ?? "nowhere")" }
        .joined(separator: "; ")
    }
  }

  // MARK: - Changing, and telling

  private func tell(
    _ reader: NSManagedObjectContext, of change: Change, by way: Way, _ stack: HistoryStack
  ) throws {
    let writer =
      way == .ids || way == .save
      ? stack.context() : stack.context(of: try stack.secondCoordinator())
    var saved: [String: [NSManagedObjectID]] = [:]
    let told = Told<Notification?>(nil)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
    ) { told.value = $0 }
    defer { NotificationCenter.default.removeObserver(observer) }
    try writer.performAndWait { saved = try make(change, in: writer) }
    switch way {
    case .save: reader.mergeChanges(fromContextDidSave: try #require(told.value))
    case .ids:
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: saved, into: [reader])
    case .uris:
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: saved.mapValues { $0.map { $0.uriRepresentation() } },
        into: [reader])
    case .history:
      let last = try #require(try stack.transactions().last)
      reader.mergeChanges(fromContextDidSave: last.objectIDNotification())
    }
  }

  /// Gives the IDs of what was changed itself, without other ends.
  private func make(
    _ change: Change, in writer: NSManagedObjectContext
  ) throws -> [String: [NSManagedObjectID]] {
    func object(_ entity: String, _ name: String) throws -> NSManagedObject {
      try #require(try OwnerModel.objects(entity, name, in: writer).first)
    }
    switch change {
    case .deleteMember, .deleteOwner:
      writer.delete(try object(change == .deleteMember ? "Member" : "Owner", "first"))
      writer.processPendingChanges()
      let ids = writer.deletedObjects.map(\.objectID)
      try writer.save()
      return [NSDeletedObjectIDsKey: ids]
    case .insertMember:
      let new = NSEntityDescription.insertNewObject(forEntityName: "Member", into: writer)
      new.setValue("new", forKey: "name")
      for name in ["owner", "keeper", "orderedOwner"] {
        new.setValue(try object("Owner", "first"), forKey: name)
      }
      new.setValue(try object("Owner", "second"), forKey: "twinOf")
      try writer.save()
      return [NSInsertedObjectIDsKey: [new.objectID]]
    case .moveMember:
      let member = try object("Member", "first")
      for name in ["owner", "keeper", "orderedOwner", "twinOf"] {
        member.setValue(try object("Owner", "second"), forKey: name)
      }
      try writer.save()
      return [NSUpdatedObjectIDsKey: [member.objectID]]
    case .renameMember:
      let member = try object("Member", "first")
      member.setValue("renamed", forKey: "name")
      try writer.save()
      return [NSUpdatedObjectIDsKey: [member.objectID]]
    case .batchDelete, .batchDeleteOwner:
      let fetch = NSFetchRequest<NSFetchRequestResult>(
        entityName: change == .batchDelete ? "Member" : "Owner")
      fetch.predicate = NSPredicate(format: "name == 'first'")
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeObjectIDs
      let result = try writer.execute(request) as? NSBatchDeleteResult
      return [NSDeletedObjectIDsKey: try #require(result?.result as? [NSManagedObjectID])]
    case .batchUpdate:
      let request = NSBatchUpdateRequest(entityName: "Member")
      request.predicate = NSPredicate(format: "name == 'first'")
      request.propertiesToUpdate = ["name": "renamed"]
      request.resultType = .updatedObjectIDsResultType
      let result = try writer.execute(request) as? NSBatchUpdateResult
      return [NSUpdatedObjectIDsKey: try #require(result?.result as? [NSManagedObjectID])]
    }
  }

  // MARK: - The report

  /// Owner and members were saved by this context, so that it has the relationship in memory.
  @Test(arguments: StoreKind.all.filter(\.hasBatches), [false, true])
  func membersThatABatchDeletesAreNoLongerCounted(_ kind: StoreKind, holdsMembers: Bool) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let owner = context.makeItem("owner")
      var members: [Item]? = (0..<3).map { context.makeItem("\($0)", in: owner) }
      try context.save()
      #expect(owner.children.count == 3)
      if !holdsMembers { members = nil }
      let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Item")
      fetch.predicate = NSPredicate(format: "parent != nil")
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeObjectIDs
      let result = try context.execute(request) as? NSBatchDeleteResult
      let ids = try #require(result?.result as? [NSManagedObjectID])
      #expect(ids.count == 3)
      let told = Told<[Set<NSManagedObject>]>([])
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { note in
        told.value.append(note.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject> ?? [])
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
      #expect(owner.children.isEmpty)
      #expect(told.value == [[owner]])
      try context.save()
      #expect(!context.hasChanges && owner.children.isEmpty)
      withExtendedLifetime(members) {}
    }
  }
}

/// Owners and members in every kind of relationship.
private enum OwnerModel {
  static func make() -> NSManagedObjectModel {
    let (owner, member) = (NSEntityDescription(), NSEntityDescription())
    owner.name = "Owner"
    member.name = "Member"
    let (members, ownerOf) = ModelPart.relate(owner, "members", 0, member, "owner", 1)
    let (kept, keeper) = ModelPart.relate(owner, "kept", 0, member, "keeper", 1)
    let (ordered, orderedOwner) = ModelPart.relate(
      owner, "ordered", 0, member, "orderedOwner", 1)
    let (partners, partnersOf) = ModelPart.relate(owner, "partners", 0, member, "partnersOf", 0)
    let (orderedPartners, orderedPartnersOf) = ModelPart.relate(
      owner, "orderedPartners", 0, member, "orderedPartnersOf", 0)
    let (twin, twinOf) = ModelPart.relate(owner, "twin", 1, member, "twinOf", 1)
    members.deleteRule = .cascadeDeleteRule
    ordered.isOrdered = true
    orderedPartners.isOrdered = true
    owner.properties = [
      ModelPart.attribute("name"),
      ModelPart.attribute("note"), members, kept, ordered, partners,
      orderedPartners, twin, ModelPart.relationship("friends", to: member, maxCount: 0),
      ModelPart.relationship("favourite", to: member, maxCount: 1),
    ]
    member.properties = [
      ModelPart.attribute("name"), ownerOf, keeper, orderedOwner,
      partnersOf, orderedPartnersOf, twinOf,
    ]
    return ModelPart.model([owner, member])
  }

  static func fill(_ context: NSManagedObjectContext) {
    func make(_ entity: String, _ name: String) -> NSManagedObject {
      context.insert(entity, ["name": name])
    }
    let (first, second) = (make("Owner", "first"), make("Owner", "second"))
    let members = ["first", "last", "middle"].map { make("Member", $0) }
    for name in ["members", "kept", "partners", "friends"] {
      first.setValue(NSSet(array: members), forKey: name)
    }
    for name in ["ordered", "orderedPartners"] {
      first.setValue(NSOrderedSet(array: members), forKey: name)
    }
    second.setValue(NSSet(array: [members[0]]), forKey: "partners")
    second.setValue(NSOrderedSet(array: [members[1], members[0]]), forKey: "orderedPartners")
    first.setValue(members[0], forKey: "twin")
    second.setValue(members[0], forKey: "favourite")
  }

  static func objects(
    _ entity: String, _ name: String? = nil, in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = name.map { NSPredicate(format: "name == %@", $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request)
  }

  static func objects(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try objects("Owner", in: context) + objects("Member", in: context)
  }

  /// What each relationship of each object leads to. A side that nobody keeps up without an inverse is left out where its
  /// object is gone.
  static func graph(in context: NSManagedObjectContext) throws -> [String: String] {
    var graph: [String: String] = [:]
    for object in try objects(in: context) {
      let entity = object.entity
      for name in entity.relationshipsByName.keys where name != "favourite" {
        let owner = "\(entity.name ?? "") \(object.value(forKey: "name") ?? "?")"
        graph["\(owner).\(name)"] = text(object, name)
      }
    }
    return graph
  }

  static func text(_ object: NSManagedObject, _ name: String) -> String {
    func title(_ object: Any) -> String {
      (object as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
    }
    switch object.value(forKey: name) {
    case let set as NSSet: return "\(set.allObjects.map(title).sorted())"
    case let set as NSOrderedSet: return "\(set.array.map(title))"
    case let other?: return title(other)
    case nil: return "nothing"
    }
  }
}
