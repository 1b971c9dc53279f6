import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Changes of transient relationships: undone, saved by others, rolled back and handed up by child contexts.
@Suite struct TransientChangeTests: TransientSuite {
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
      context.mergePolicy = NSMergePolicy.error
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
}
