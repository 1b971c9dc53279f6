import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A transient relationship is an empty one that can be set, and that no store keeps: each kind of it, with each kind
/// of inverse.
@Suite struct TransientRelationshipTests: TransientSuite {
  @Test(arguments: Sample.of(StoreKind.all))
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

  @Test(arguments: Sample.of(StoreKind.all))
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

  @Test(arguments: Sample.of(StoreKind.all))
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
  @Test(arguments: Sample.of(StoreKind.all.filter { $0 != .clientIncremental }))
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

  // MARK: - Other ways to read

  @Test(arguments: Sample.of(StoreKind.all))
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

  @Test(arguments: Sample.of(StoreKind.all.filter(\.hasHistory)))
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
}
