import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Deletions of objects that transient relationships lead to, or that have them.
@Suite struct TransientDeletionTests: TransientSuite {
  private static let rules: [NSDeleteRule] = [
    .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule, .noActionDeleteRule,
  ]

  @Test(arguments: Sample.of(StoreKind.all, rules))
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
  @Test(arguments: Sample.of(StoreKind.all, [1, 3]))
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
}
