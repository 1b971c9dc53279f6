import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A transient relationship is an empty one that can be set, and that no store keeps: each kind of it, with each kind
/// of inverse.
@Suite struct TransientRelationshipTests {
  /// Runs `body` for each pair, in a context of its own of one stack.
  private func forEachPair(
    _ kind: StoreKind, of pairs: [TransientPair] = TransientPair.all,
    model: NSManagedObjectModel = TransientModel.make(),
    _ body: (TestStack, NSManagedObjectContext, TransientPair) throws -> Void
  ) throws {
    let stack = try TestStack(kind, model: model)
    for pair in pairs { try stack.withContext { try body(stack, $0, pair) } }
  }

  /// What another context reads.
  private func stored(_ stack: TestStack, _ pair: TransientPair) throws -> PlainPair {
    try stack.withContext { try TransientObjects(fetching: pair, in: $0).plain() }
  }

  /// Saved objects without members.
  private func saved(
    _ pair: TransientPair, _ context: NSManagedObjectContext
  ) throws -> TransientObjects {
    let objects = TransientObjects(making: pair, in: context)
    try context.save()
    return objects
  }

  /// The first owner has members.
  private func related(
    _ pair: TransientPair, _ context: NSManagedObjectContext
  ) throws -> (objects: TransientObjects, plain: PlainPair) {
    let objects = try saved(pair, context)
    var plain = PlainPair(pair)
    let members = objects.someMembers(pair.name)
    objects.set(pair.name, objects.owners[0], members)
    plain.set(pair.name, objects.owners[0], members)
    return (objects, plain)
  }

  private let error = NSMergePolicy.error

  // MARK: - Reading and setting

  @Test(arguments: StoreKind.all)
  func aNewObjectHasNoMembersAndNeitherHasOneThatIsRead(_ kind: StoreKind) throws {
    try forEachPair(kind) { stack, context, pair in
      #expect(try saved(pair, context).plain() == PlainPair(pair), "\(pair)")
      try stack.withContext { other in
        let objects = try TransientObjects(fetching: pair, in: other)
        #expect(objects.owners.count == 3 && objects.members.count == 3, "\(pair)")
        #expect(objects.plain() == PlainPair(pair), "\(pair)")
        for owner in objects.owners {
          #expect(!objects[owner].isDeleted && !objects[owner].hasChanges, "\(pair)")
          #expect(objects[owner].value(forKey: "name") as? String == "\(pair)/\(owner)", "\(pair)")
        }
      }
    }
  }

  @Test(arguments: StoreKind.all)
  func eachSideHasWhatIsSetAndTheStoreWhatIsNotTransient(_ kind: StoreKind) throws {
    try forEachPair(kind) { stack, context, pair in
      for name in pair.names {
        let objects = try saved(pair, context)
        var plain = PlainPair(pair)
        func expect(_ what: String) throws {
          #expect(objects.plain() == plain, "\(pair): \(name) \(what)")
          try context.save()
          #expect(objects.plain() == plain, "\(pair): \(name) \(what) and saved")
          #expect(try stored(stack, pair) == plain.stored, "\(pair): \(name) \(what) and read")
        }
        let (owners, members) = (objects.ends(of: name).owners, objects.someMembers(name))
        objects.set(name, owners[0], members)
        plain.set(name, owners[0], members)
        try expect("is set")
        objects.add(name, owners[1], members[0])
        plain.set(name, owners[1], plain.members(name, owners[1]) + [members[0]])
        if !plain.hasSharedMembers { try expect("has more") }
        objects.remove(name, owners[1], members[0])
        plain.remove(name, owners[1], members[0])
        try expect("has less")
        objects.set(name, owners[0], [])
        plain.set(name, owners[0], [])
        try expect("is emptied")
        for object in objects.objects.values { context.delete(object) }
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.all)
  func anObjectThatIsReadTakesMembersLikeANewOne(_ kind: StoreKind) throws {
    try forEachPair(kind) { stack, context, pair in
      for name in pair.names {
        context.reset()
        let made = TransientObjects(making: pair, in: context)
        try context.save()
        made.set(pair.name, made.owners[0], made.someMembers(pair.name))
        try context.save()
        try stack.withContext { other in
          let objects = try TransientObjects(fetching: pair, in: other)
          var plain = objects.plain()
          let members = objects.someMembers(name)
          for owner in objects.ends(of: name).owners {
            objects.set(name, owner, members)
            plain.set(name, owner, members)
            #expect(objects.plain() == plain, "\(pair): \(name) of \(owner)")
            objects.set(name, owner, [])
            plain.set(name, owner, [])
            #expect(objects.plain() == plain, "\(pair): \(name) of \(owner), emptied")
          }
          try other.save()
          #expect(try stored(stack, pair) == plain.stored, "\(pair): \(name)")
          for object in objects.objects.values { other.delete(object) }
          try other.save()
        }
      }
    }
  }

  /// A store keeps one owner of each, as the model says.
  @Test(arguments: StoreKind.all.filter { $0 != .clientIncremental })
  func aMemberIsOfTheOwnerThatGotItLast(_ kind: StoreKind) throws {
    try forEachPair(kind, of: TransientPair.all.filter(\.isOnesided)) { stack, context, pair in
      let objects = try saved(pair, context)
      let (inverse, member) = (try #require(pair.inverseName), objects.owners[0])
      let first = objects.members[0]
      objects.set(inverse, first, [member])
      try context.save()
      try stack.withContext { other in
        let objects = try TransientObjects(fetching: pair, in: other)
        objects.set(inverse, objects.members[1], [member])
        try other.save()
      }
      let stored = try stored(stack, pair)
      #expect(stored.members(inverse, first) == [], "\(pair)")
      #expect(stored.members(inverse, objects.members[1]) == [member], "\(pair)")
      context.refreshAllObjects()
      context.delete(objects[member])
      try context.save()
      try stack.withContext { other in
        let objects = try TransientObjects(fetching: pair, in: other)
        #expect(objects.members(inverse, objects.members[1]) == [], "\(pair)")
      }
    }
  }

  // MARK: - Changes

  @Test(arguments: StoreKind.all)
  func aTransientChangeIsNoPersistentOne(_ kind: StoreKind) throws {
    try forEachPair(kind) { stack, context, pair in
      let (objects, _) = try related(pair, context)
      let owner = objects[objects.owners[0]]
      #expect(owner.hasChanges && owner.isUpdated && context.hasChanges, "\(pair)")
      #expect(!owner.hasPersistentChangedValues && owner.changedValues().isEmpty, "\(pair)")
      #expect(owner.changedValuesForCurrentEvent().isEmpty, "\(pair)")
      for member in objects.someMembers(pair.name) {
        let member = objects[member]
        #expect(member.hasPersistentChangedValues == pair.hasStoredInverse, "\(pair)")
        #expect(
          Array(member.changedValues().keys)
            == (pair.hasStoredInverse ? [pair.inverseName] : []), "\(pair)")
      }
      // Nothing of the owner is written: what another context writes is no conflict.
      context.mergePolicy = error
      try stack.withContext { other in
        let twin = try TransientObjects(fetching: pair, in: other)
        twin[twin.owners[0]].setValue("\(pair)/Other", forKey: "name")
        try other.save()
      }
      try context.save()
      #expect(!owner.hasChanges && !context.hasChanges, "\(pair)")
      let committed = owner.committedValues(forKeys: [pair.name])[pair.name]
      let count = (committed as? NSSet)?.count ?? (committed as? NSOrderedSet)?.count ?? 0
      #expect(count == 0, "\(pair)")
    }
  }

  @Test(arguments: StoreKind.all)
  func aChangeIsUndoneAndDoneAgain(_ kind: StoreKind) throws {
    try forEachPair(kind) { _, context, pair in
      for name in pair.names {
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        func step(_ body: () throws -> Void) rethrows {
          manager.beginUndoGrouping()
          try body()
          context.processPendingChanges()
          manager.endUndoGrouping()
        }
        let objects = try saved(pair, context)
        manager.removeAllActions()
        var states = [PlainPair(pair)]
        let (owners, members) = (objects.ends(of: name).owners, objects.someMembers(name))
        for (owner, members) in [(owners[0], members), (owners[1], [members[0]]), (owners[0], [])] {
          var plain = states[states.count - 1]
          plain.set(name, owner, members)
          if plain == states.last { continue }
          step { objects.set(name, owner, members) }
          states.append(plain)
        }
        for state in states.dropLast().reversed() {
          context.undo()
          #expect(objects.plain() == state, "\(pair): \(name), undone")
        }
        for state in states.dropFirst() {
          context.redo()
          #expect(objects.plain() == state, "\(pair): \(name), done again")
        }
        context.undoManager = nil
        for object in objects.objects.values { context.delete(object) }
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.all, [false, true])
  func aDeletionAndAnInsertionAreUndone(_ kind: StoreKind, afterSave: Bool) throws {
    try forEachPair(kind) { stack, context, pair in
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      var (objects, plain) = try related(pair, context)
      try context.save()
      for deleted in [objects.owners[0], objects.someMembers(pair.name)[0]] {
        manager.removeAllActions()
        manager.beginUndoGrouping()
        context.delete(objects[deleted])
        context.processPendingChanges()
        manager.endUndoGrouping()
        if afterSave { try context.save() }
        context.undo()
        #expect(objects.plain() == plain, "\(pair): \(deleted) is there again")
        try context.save()
        #expect(objects.plain() == plain, "\(pair): \(deleted) is saved again")
        #expect(try stored(stack, pair) == plain.stored, "\(pair): \(deleted) is stored again")
      }
      manager.removeAllActions()
      manager.beginUndoGrouping()
      objects.make("\(pair.owner)3")
      let member = objects.members[1]
      objects.set(pair.name, "\(pair.owner)3", [member])
      context.processPendingChanges()
      manager.endUndoGrouping()
      context.undo()
      objects.forget("\(pair.owner)3")
      // Who got the new object has lost it, and what it took another one from has come back.
      #expect(objects.plain() == plain, "\(pair): the insertion is undone")
    }
  }

  // MARK: - Deleting

  private static let rules: [NSDeleteRule] = [
    .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule, .noActionDeleteRule,
  ]

  @Test(arguments: StoreKind.all, rules)
  func deleteRulesActOnTheMembersThatAreThere(_ kind: StoreKind, _ rule: NSDeleteRule) throws {
    let model = TransientModel.make { relationship, pair in
      if relationship.name == pair.name { relationship.deleteRule = rule }
    }
    try forEachPair(kind, model: model) { stack, context, pair in
      var (objects, plain) = try related(pair, context)
      try context.save()
      let (owner, members) = (objects.owners[0], objects.someMembers(pair.name))
      context.delete(objects[owner])
      switch rule {
      case .denyDeleteRule:
        let error = #expect(throws: (any Error).self, "\(pair)") { try context.save() }
        #expect((error as NSError?)?.code == 1600, "\(pair)")
        context.rollback()
        // The relationship of an object that is read anew is empty, and forbids nothing.
        context.refreshAllObjects()
        context.delete(objects[owner])
        try context.save()
      case .cascadeDeleteRule:
        try context.save()
        for member in members { #expect(objects[member].managedObjectContext == nil, "\(pair)") }
      default:
        try context.save()
        objects.forget(owner)
        plain.delete(owner)
        if rule == .nullifyDeleteRule { #expect(objects.plain() == plain, "\(pair)") }
      }
      #expect(objects.objects[owner]?.managedObjectContext == nil, "\(pair)")
      try stack.withContext { other in
        let left = try TransientObjects(fetching: pair, in: other)
        let gone = rule == .cascadeDeleteRule ? [owner] + members : [owner]
        #expect(gone.allSatisfy { left.objects[$0] == nil }, "\(pair)")
        let all = TransientObjects.names(pair.owner) + TransientObjects.names(pair.destination)
        #expect(left.objects.count == Set(all).subtracting(gone).count, "\(pair)")
      }
    }
  }

  /// The other side of objects with edits, one by one and several at once.
  @Test(arguments: StoreKind.all, [1, 3])
  func anObjectThatWasReadIsDeletedFromEitherSide(_ kind: StoreKind, count: Int) throws {
    try forEachPair(kind) { stack, context, pair in
      for entity in Set([pair.owner, pair.destination]).sorted() {
        context.reset()
        _ = try saved(pair, context)
        try stack.withContext { other in
          let objects = try TransientObjects(fetching: pair, in: other)
          for (name, object) in objects.objects {
            object.setValue("\(pair)/\(name)", forKey: "name")
          }
          let doomed = objects.names(of: entity).prefix(count)
          for name in doomed { other.delete(objects[name]) }
          try other.save()
          let rest = try TransientObjects(fetching: pair, in: other)
          #expect(rest.objects.count == objects.objects.count - count, "\(pair)")
          for object in rest.objects.values { other.delete(object) }
          try other.save()
        }
      }
    }
  }

  // MARK: - Others' changes, faults, rollback

  @Test(arguments: StoreKind.all, [false, true])
  func whatOthersSaveLeavesTransientMembers(_ kind: StoreKind, isSaved: Bool) throws {
    try forEachPair(kind) { stack, context, pair in
      let (objects, plain) = try related(pair, context)
      if isSaved { try context.save() }
      let notes = try stack.withContext { other in
        let twins = try TransientObjects(fetching: pair, in: other)
        for name in [objects.owners[0], objects.someMembers(pair.name)[0]] {
          twins[name].setValue("\(pair)/\(name)/new", forKey: "name")
        }
        return try ContextNotes.of(other, .NSManagedObjectContextDidSave) { try other.save() }
      }
      for note in notes { context.mergeChanges(fromContextDidSave: note) }
      let name = objects[objects.owners[0]].value(forKey: "name") as? String
      #expect(name == "\(pair)/\(objects.owners[0])/new", "\(pair)")
      #expect(objects.plain() == plain, "\(pair)")
      try context.save()
      #expect(objects.plain() == plain, "\(pair)")
      #expect(try stored(stack, pair) == plain.stored, "\(pair)")
    }
  }

  @Test(
    arguments: StoreKind.all,
    [
      NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType,
      .mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType,
    ])
  func aConflictIsResolvedWithoutTransientMembersChanging(
    _ kind: StoreKind, _ policy: NSMergePolicyType
  ) throws {
    try forEachPair(kind) { stack, context, pair in
      let (objects, plain) = try related(pair, context)
      try context.save()
      try stack.withContext { other in
        let twins = try TransientObjects(fetching: pair, in: other)
        twins[objects.owners[0]].setValue("\(pair)/\(objects.owners[0])/theirs", forKey: "name")
        try other.save()
      }
      objects[objects.owners[0]].setValue("\(pair)/\(objects.owners[0])/mine", forKey: "name")
      context.mergePolicy = NSMergePolicy(merge: policy)
      try context.save()
      #expect(objects.plain() == plain, "\(pair)")
    }
  }

  @Test(arguments: StoreKind.all)
  func aRefreshedObjectLosesThemUnlessItKeepsItsEdits(_ kind: StoreKind) throws {
    try forEachPair(kind) { _, context, pair in
      var (objects, plain) = try related(pair, context)
      try context.save()
      let owner = objects.owners[0]
      objects[owner].setValue("\(pair)/\(owner)/edited", forKey: "name")
      context.refresh(objects[owner], mergeChanges: true)
      #expect(objects.plain() == plain, "\(pair)")
      try context.save()
      context.refresh(objects[owner], mergeChanges: false)
      plain.forget(owner)
      #expect(objects[owner].isFault, "\(pair)")
      #expect(objects.plain() == plain, "\(pair)")
      context.refreshAllObjects()
      for name in objects.objects.keys { plain.forget(name) }
      #expect(objects.plain() == plain, "\(pair)")
      // What one side has lost does not keep the other one from losing it.
      objects.set(pair.name, owner, objects.someMembers(pair.name))
      plain.set(pair.name, owner, objects.someMembers(pair.name))
      #expect(objects.plain() == plain, "\(pair)")
      context.rollback()
    }
  }

  @Test(arguments: StoreKind.all)
  func aRollbackLeavesNothingOfThem(_ kind: StoreKind) throws {
    try forEachPair(kind) { _, context, pair in
      let (objects, _) = try related(pair, context)
      context.rollback()
      #expect(objects.plain() == PlainPair(pair), "\(pair)")
      #expect(!context.hasChanges, "\(pair)")
    }
  }

  // MARK: - Child contexts

  @Test(arguments: StoreKind.all)
  func aChildHandsThemUpAndAParentNoneDown(_ kind: StoreKind) throws {
    try forEachPair(kind) { stack, context, pair in
      for name in pair.names {
        let objects = try saved(pair, context)
        var plain = PlainPair(pair)
        let (child, grandchild) = (
          NSManagedObjectContext(.privateQueue), NSManagedObjectContext(.privateQueue)
        )
        child.parent = context
        grandchild.parent = child
        let (owner, members) = (objects.ends(of: name).owners[0], objects.someMembers(name))
        plain.set(name, owner, members)
        try child.performAndWait {
          try grandchild.performAndWait {
            let twins = try TransientObjects(fetching: pair, in: grandchild)
            twins.set(name, owner, members)
            try grandchild.save()
            #expect(twins.plain() == plain, "\(pair): \(name) in the grandchild")
          }
          let twins = try TransientObjects(fetching: pair, in: child)
          #expect(twins.plain() == plain, "\(pair): \(name) in the child")
          try child.save()
        }
        #expect(objects.plain() == plain, "\(pair): \(name) in the parent")
        #expect(context.hasChanges, "\(pair): \(name)")
        try child.performAndWait {
          child.reset()
          let twins = try TransientObjects(fetching: pair, in: child)
          #expect(twins.plain() == plain.stored, "\(pair): \(name) handed down")
          twins.set(name, owner, [])
          twins.set(name, twins.ends(of: name).owners[1], [])
          try child.save()
        }
        try context.save()
        for object in objects.objects.values { context.delete(object) }
        try context.save()
      }
    }
  }

  /// What a child has set is what its parent has then.
  @Test func aChildsMembersTakeThePlaceOfItsParents() throws {
    try forEachPair(.inMemory, of: TransientPair.all.filter { !$0.hasStoredInverse }) {
      _, context, pair in
      var (objects, plain) = try related(pair, context)
      try context.save()
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      let members = [objects.members[0]]
      try child.performAndWait {
        let twins = try TransientObjects(fetching: pair, in: child)
        #expect(twins.plain() == PlainPair(pair), "\(pair)")
        twins.set(pair.name, objects.owners[1], members)
        try child.save()
      }
      plain.set(pair.name, objects.owners[1], members)
      guard pair.inverse == .none else { return }
      #expect(objects.plain() == plain, "\(pair)")
    }
  }

  // MARK: - Validation

  @Test(arguments: [StoreKind.inMemory, .sqlite])
  func aMandatoryOneIsValidatedByWhatIsInMemory(_ kind: StoreKind) throws {
    let model = TransientModel.make { relationship, pair in
      guard relationship.name == pair.name, pair.inverse == .none else { return }
      relationship.isOptional = false
      relationship.minCount = 1
    }
    let stack = try TestStack(kind, model: model)
    try stack.withContext { context in
      let pairs = TransientPair.all.filter { $0.inverse == .none && $0.owner == "Client" }
      let client = NSEntityDescription.insertNewObject(forEntityName: "Client", into: context)
      let message = NSEntityDescription.insertNewObject(forEntityName: "Message", into: context)
      context.delete(message)
      let error = #expect(throws: (any Error).self) { try client.validateForInsert() }
      let errors = (error as NSError?)?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      let found = errors.map {
        "\($0.userInfo[NSValidationKeyErrorKey] as? String ?? "") \($0.code)"
      }
      #expect(
        found.sorted() == [
          "clientOrderedAlone 1580", "clientToManyAlone 1580", "clientToOneAlone 1570",
        ])
      let other = NSEntityDescription.insertNewObject(forEntityName: "Message", into: context)
      for pair in pairs {
        let value: Any =
          switch pair.side {
          case .toOne: other
          case .toMany: NSSet(object: other)
          case .ordered: NSOrderedSet(object: other)
          }
        client.setValue(value, forKey: pair.name)
      }
      try client.validateForInsert()
    }
  }

  // MARK: - Other ways to read

  @Test(arguments: StoreKind.all)
  func aFetchReadsNoneAlongAndPredicatesFindNone(_ kind: StoreKind) throws {
    try forEachPair(kind) { stack, context, pair in
      let (_, plain) = try related(pair, context)
      try context.save()
      try stack.withContext { other in
        let request = NSFetchRequest<NSManagedObject>(entityName: pair.owner)
        request.relationshipKeyPathsForPrefetching = [pair.name, "\(pair.name).\(pair.name)"]
          .filter { pair.inverse == .itself || !$0.contains(".") }
        _ = try other.fetch(request)
        #expect(try TransientObjects(fetching: pair, in: other).plain() == plain.stored, "\(pair)")
        if let inverse = pair.inverseName, pair.hasStoredInverse {
          let request = NSFetchRequest<NSManagedObject>(entityName: pair.destination)
          request.relationshipKeyPathsForPrefetching = [inverse]
          _ = try other.fetch(request)
          let found = try TransientObjects(fetching: pair, in: other).plain()
          #expect(found == plain.stored, "\(pair)")
        }
        // SQL alone cannot ask for them; what is finished in memory finds that there are none.
        let isToMany = pair.side != .toOne
        request.predicate = NSPredicate(
          format: isToMany ? "\(pair.name).@count > 0" : "\(pair.name) != nil")
        if kind == .sqlite {
          let error = #expect(throws: (any Error).self, "\(pair)") { try other.fetch(request) }
          #expect("\(String(describing: error))".contains("transient"), "\(pair)")
        } else {
          #expect(try other.fetch(request).isEmpty, "\(pair)")
        }
      }
    }
  }

  @Test(arguments: StoreKind.all.filter(\.hasBatches))
  func batchRequestsHaveNothingToDoWithThem(_ kind: StoreKind) throws {
    for rule in Self.rules {
      let model = TransientModel.make { relationship, pair in
        if relationship.name == pair.name { relationship.deleteRule = rule }
      }
      let stack = try TestStack(kind, model: model)
      try stack.withContext { context in
        for pair in TransientPair.all {
          _ = try related(pair, context)
          try context.save()
        }
        context.reset()
        for entity in TransientPair.entities {
          let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
          _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
          #expect(try context.count(for: fetch) == 0, "\(rule)")
        }
      }
    }
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func theHistorySaysNothingOfThem(_ kind: StoreKind) throws {
    let stack = try HistoryStack(TransientModel.make(), kind: kind)
    let context = stack.context()
    try context.performAndWait {
      for pair in TransientPair.all {
        let objects = try saved(pair, context)
        let before = try stack.transactions().count
        objects.set(pair.name, objects.owners[0], objects.someMembers(pair.name))
        try context.save()
        let new = try stack.transactions().dropFirst(before)
        let names = new.flatMap { $0.changes ?? [] }.flatMap { $0.updatedProperties ?? [] }
          .map(\.name)
        #expect(Set(names) == (pair.hasStoredInverse ? [pair.inverseName ?? ""] : []), "\(pair)")
        if !pair.hasStoredInverse { #expect(new.flatMap { $0.changes ?? [] }.isEmpty, "\(pair)") }
      }
    }
    try stack.close()
  }

  // MARK: - Observers

  /// Writes down of which keys it is told.
  private final class Recorder: KeyValueObserver {
    var told: [String] = []

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      told.append(keyPath ?? "")
    }
  }

  @Test func observersAreToldOfThem() throws {
    try forEachPair(.sqlite) { _, context, pair in
      let manager = UndoManager()
      context.undoManager = manager
      var (objects, plain) = try related(pair, context)
      try context.save()
      manager.endEvent()
      let (owner, recorder) = (objects[objects.owners[0]], Recorder())
      owner.addObserver(recorder, forKeyPath: pair.name, options: [], context: nil)
      objects.set(pair.name, objects.owners[0], [])
      #expect(Set(recorder.told) == [pair.name], "\(pair)")
      recorder.told = []
      context.processPendingChanges()
      manager.endEvent()
      context.undo()
      #expect(Set(recorder.told) == [pair.name], "\(pair)")
      #expect(objects.plain() == plain, "\(pair)")
      recorder.told = []
      context.refresh(owner, mergeChanges: false)
      plain.forget(objects.owners[0])
      #expect(recorder.told == [pair.name], "\(pair)")
      owner.removeObserver(recorder, forKeyPath: pair.name)
    }
  }

  // MARK: - Models

  @Test func theyCountInNoVersionHash() {
    let pairs = TransientPair.all.filter { !$0.hasStoredInverse }
    let hashes = [pairs, []].map { TransientModel.make($0).entityVersionHashesByName }
    #expect(hashes[0] == hashes[1])
    for pair in TransientPair.all {
      let models = [true, false].map { isTransient in
        TransientModel.make(
          [pair], isTransient: { $0 == pair.name ? isTransient : !$1.isStored($0) })
      }
      let owners = models.map { $0.entitiesByName[pair.owner]?.versionHash }
      #expect(owners[0] != owners[1], "\(pair)")
    }
  }

  @Test func theyHaveNoPlaceInASQLiteStore() throws {
    let pairs = TransientPair.all.filter { !$0.hasStoredInverse }
    let schemas = try [pairs, []].map { pairs in
      let fixture = try StoreFixture(TransientModel.make(pairs))
      defer { try? fixture.close() }
      return try SchemaText(fixture.url).statements
    }
    #expect(schemas[0] == schemas[1])
    for pair in TransientPair.withStoredInverse {
      let fixture = try StoreFixture(TransientModel.make([pair]))
      let text = try PlainSQL(url: fixture.url).schema.joined(separator: "\n")
      // But in the name of a table, or of a column, that is the stored side's too.
      let rest = text.replacing("\(pair.name.uppercased())BACK", with: "")
      let isJoined = pair.side != .toOne && pair.inverseSide != .toOne
      #expect(isJoined || !rest.contains(pair.name.uppercased()), "\(pair): \(text)")
      try fixture.close()
    }
  }

  @Test(.enabled(if: StoreKind.all.contains(.postgreSQL)))
  func theyHaveNoPlaceOnAServer() throws {
    let pairs = TransientPair.all.filter { !$0.hasStoredInverse }
    let schemas = try [pairs, []].map { pairs in
      let folder = try StoreFixture.makeFolder()
      let url = try #require(
        try StoreKind.postgreSQL.url(folder.appendingPathComponent("Store.sqlite")))
      let fixture = try StoreFixture(
        TransientModel.make(pairs), at: url, type: .init(rawValue: StoreKind.postgreSQL.rawValue))
      try fixture.close()
      defer { try? ServerSchema.drop(url) }
      return try ServerSchema(url).lines
    }
    #expect(schemas[0] == schemas[1])
  }

  /// What an attribute is derived from is in the store.
  @Test(arguments: StoreKind.withDerivedAttributes)
  func anAttributeCannotBeDerivedFromThem(_ kind: StoreKind) throws {
    for side in TransientPair.Side.allCases {
      let pair = TransientPair(owner: "Client", side: side, inverse: .none)
      let model = TransientModel.make([pair])
      let derived = NSDerivedAttributeDescription()
      derived.name = "derived"
      derived.attributeType = side == .toOne ? .stringAttributeType : .integer64AttributeType
      derived.isOptional = true
      derived.derivationExpression = NSExpression(
        forKeyPath: side == .toOne ? "\(pair.name).name" : "\(pair.name).@count")
      model.entitiesByName["Client"]?.properties.append(derived)
      let error = #expect(throws: (any Error).self) { try TestStack(kind, model: model) }
      #expect("\(String(describing: error))".contains(pair.name), "\(pair)")
    }
  }
}
