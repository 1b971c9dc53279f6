import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Long lists by one number or date, whose sort keys are read ahead: every kind of number, at every place.
@Suite struct NumberTableTests {
  private static let types: [NSAttributeType] = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
    .floatAttributeType, .dateAttributeType, .booleanAttributeType, .decimalAttributeType,
    .stringAttributeType,
  ]

  private static func values(_ type: NSAttributeType) -> [Any?] {
    switch type {
    case .integer16AttributeType: [nil, Int16.min, Int16(-1), Int16(0), Int16(1), Int16.max]
    case .integer32AttributeType: [nil, Int32.min, Int32(-1), Int32(0), Int32(1), Int32.max]
    case .integer64AttributeType:
      [nil, Int64.min, Int64.min + 1, -1 as Int64, 0 as Int64, 1 as Int64, Int64.max]
    case .doubleAttributeType:
      [nil, -0.5, -0.0, 0.0, Double.leastNonzeroMagnitude, 0.5, 1e300, -1e300]
        + [Double.infinity, -Double.infinity]
    case .floatAttributeType: [nil, -Float.infinity, Float(-1), Float(0), Float(1), Float.infinity]
    case .dateAttributeType:
      [nil] + [-1e9, -0.5, 0, 0.5, 1, 1e9].map { Date(timeIntervalSinceReferenceDate: $0) }
    case .booleanAttributeType: [nil, false, true]
    case .decimalAttributeType: [nil] + [-1, 0, 1].map { NSDecimalNumber(value: $0) }
    default: [nil, "", "a", "b"]
    }
  }

  private static func model(_ type: NSAttributeType) -> NSManagedObjectModel {
    let key = NSAttributeDescription()
    key.name = "key"
    key.attributeType = type
    key.isOptional = true
    let entry = NSEntityDescription()
    entry.name = "Entry"
    entry.properties = [key]
    let model = NSManagedObjectModel()
    model.entities = [entry]
    return model
  }

  private final class Watcher: NSObject, NSFetchedResultsControllerDelegate {
    var changes: [(type: NSFetchedResultsChangeType, old: Int?, new: Int?)] = []

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
      at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      changes.append((type, indexPath?.row, newIndexPath?.row))
    }
  }

  private static func list(
    _ request: NSFetchRequest<NSManagedObject>, _ context: NSManagedObjectContext
  ) throws -> (NSFetchedResultsController<NSManagedObject>, Watcher) {
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    let watcher = Watcher()
    controller.delegate = watcher
    controller.engine.options.leastReadAhead = 0
    try controller.performFetch()
    return (controller, watcher)
  }

  @Test(arguments: Sample.of(types, [true, false]))
  func everyValueFindsItsPlace(type: NSAttributeType, ascending: Bool) throws {
    let stack = try TestStack(.sqlite, model: Self.model(type))
    try stack.withContext { (context) throws in
      let values = Self.values(type)
      for value in values + values { context.insert("Entry").setValue(value, forKey: "key") }
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
      request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: ascending)]
      let (controller, watcher) = try Self.list(request, context)
      let objects = try #require(controller.fetchedObjects)
      context.refreshAllObjects()
      for (number, object) in objects.enumerated() {
        for value in values {
          var expected = try context.fetch(request).map(\.objectID)
          let old = try #require(expected.firstIndex(of: object.objectID))
          watcher.changes = []
          object.setValue(value, forKey: "key")
          context.processPendingChanges()
          NumberTable.Filling.queue.sync {}
          // Half of the objects are known from rows alone, half are edited and not saved.
          if number.isMultiple(of: 2) { try context.save() }
          expected = try context.fetch(request).map(\.objectID)
          #expect(controller.fetchedObjects?.map(\.objectID) == expected, "\(type) \(value as Any)")
          for change in watcher.changes where change.type == .move {
            #expect(change.old == old && change.new == expected.firstIndex(of: object.objectID))
          }
        }
        context.refreshAllObjects()
      }
      let isNumber = ![.decimalAttributeType, .stringAttributeType].contains(type)
      #expect(controller.engine.reader?.knowsMost == isNumber)
    }
  }

  /// What is changed first, beside three objects that move.
  enum Beside: CaseIterable {
    case nothing, insertion, insertions, deletions
    /// Of objects that come back.
    case undoneDeletions
    /// By a child, whose save is this context's change.
    case child
  }

  /// A first change that is saved before the keys are read, or after that, and whose objects nobody has any more: the
  /// list has to know them as they are saved, or it would move them back when something beside them moves.
  @Test(
    arguments: [true, false],
    Beside.allCases.flatMap { beside in
      [NSAttributeType.integer64AttributeType, .doubleAttributeType, .dateAttributeType]
        .map { (beside, $0) }
    })
  func aChangeIsKnownWhenItsObjectsAreGone(
    isReadBeforeSave: Bool, first: (beside: Beside, type: NSAttributeType)
  ) throws {
    let stack = try TestStack(.sqlite, model: Self.model(first.type))
    try stack.withContext { (context) throws in
      func value(_ key: Int) -> Any {
        switch first.type {
        case .doubleAttributeType: Double(key)
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(key))
        default: key
        }
      }
      for key in 0..<200 { context.insert("Entry", ["key": value(10 * key)]) }
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
      request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
      request.fetchBatchSize = 10
      let (controller, watcher) = try Self.list(request, context)
      func find(_ key: Int, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let wanted = NSFetchRequest<NSManagedObject>(entityName: "Entry")
        wanted.predicate = NSComparisonPredicate(
          leftExpression: NSExpression(forKeyPath: "key"),
          rightExpression: NSExpression(forConstantValue: value(key)), modifier: .direct,
          type: .equalTo)
        return try #require(context.fetch(wanted).first)
      }
      /// Gives the object with a key another one.
      func move(_ key: Int, to new: Int, in context: NSManagedObjectContext) throws {
        try find(key, context).setValue(value(new), forKey: "key")
      }
      for key in [100, 500, 1500] { try move(key, to: 2 * key + 5, in: context) }
      switch first.beside {
      case .nothing: break
      case .insertion: context.insert("Entry", ["key": value(1205)])
      case .insertions:
        for number in 0..<3 { context.insert("Entry", ["key": value(1205 + 10 * number)]) }
      case .deletions, .undoneDeletions:
        let objects = try [1200, 1010, 200].map { try find($0, context) }
        for object in objects { context.delete(object) }
        if first.beside == .undoneDeletions {
          context.processPendingChanges()
          for object in objects { context.insert(object) }
        }
      case .child:
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        try child.performAndWait {
          for key in [1200, 1700] { try move(key, to: key / 2 + 5, in: child) }
          try child.save()
        }
      }
      context.processPendingChanges()
      if isReadBeforeSave { NumberTable.Filling.queue.sync {} }
      try context.save()
      NumberTable.Filling.queue.sync {}
      #expect(context.registeredObjects.isEmpty)
      // To the places just before and after those that have moved, and their neighbours elsewhere.
      let moves = [
        (110, 203), (490, 207), (1490, 1003), (210, 1007), (990, 2991), (1990, 3003), (300, 1203),
        (600, 1207), (310, 603), (320, 607), (330, 853), (340, 857),
      ]
      for (key, new) in moves {
        let before = try context.fetch(request).map(\.objectID)
        watcher.changes = []
        try move(key, to: new, in: context)
        context.processPendingChanges()
        try context.save()
        let after = try context.fetch(request).map(\.objectID)
        #expect(watcher.changes.count == 1, "\(key)")
        let change = try #require(watcher.changes.first)
        #expect(before[try #require(change.old)] == after[try #require(change.new)], "\(key)")
        #expect(controller.fetchedObjects?.map(\.objectID) == after, "\(key)")
      }
      #expect(controller.engine.reader?.knowsMost == true)
    }
  }

  /// A table most of whose rows are not in the list would be empty for the most part.
  @Test func aShortListOfALongTableReadsWhatItNeeds() throws {
    let stack = try TestStack(.sqlite, model: Self.model(.integer64AttributeType))
    try stack.withContext { (context) throws in
      for key in 0..<3000 { context.insert("Entry", ["key": key]) }
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
      request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
      request.predicate = NSPredicate(format: "key >= 2990")
      let (controller, watcher) = try Self.list(request, context)
      for round in 0..<3 {
        controller.object(at: IndexPath(row: 0, section: 0)).setValue(4000 + round, forKey: "key")
        context.processPendingChanges()
        NumberTable.Filling.queue.sync {}
      }
      #expect(controller.engine.reader?.knowsMost == false)
      #expect(watcher.changes.map(\.new) == [9, 9, 9])
    }
  }

  /// The only connection that reads is not to be taken from who waits for rows.
  @Test(arguments: [1, 2])
  func aStoreWithOneReaderIsNotReadAhead(readers: Int) throws {
    let stack = try TestStack(
      .sqlite, model: Self.model(.integer64AttributeType),
      options: [NSPersistentStoreConnectionPoolMaxSizeKey: readers])
    try stack.withContext { (context) throws in
      for key in 0..<10 { context.insert("Entry", ["key": key]) }
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
      request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
      let (controller, watcher) = try Self.list(request, context)
      for key in 0..<3 {
        controller.object(at: IndexPath(row: 5, section: 0)).setValue(key - 5, forKey: "key")
        context.processPendingChanges()
        NumberTable.Filling.queue.sync {}
      }
      #expect(watcher.changes.map(\.old) == [5, 5, 5])
      #expect(controller.engine.reader?.knowsMost == (readers > 1))
    }
  }

  /// What a save elsewhere has changed while the keys were read is as the list was told, not as it was read.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func savesElsewhereMeetTheReading(seed: UInt64) throws {
    print("NumberTableTests: seed \(seed)")
    let stack = try TestStack(.sqlite, model: Self.model(.integer64AttributeType))
    var random = SplitMix64(seed: seed)
    try stack.withContext { (context) throws in
      for key in 0..<2000 { context.insert("Entry", ["key": key]) }
      try context.save()
      context.reset()
      let other = stack.makeContext()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
      request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
      request.fetchBatchSize = 20
      for _ in 0..<10 {
        let (controller, watcher) = try Self.list(request, context)
        for _ in 0..<20 {
          let keys = (0..<3).map { _ in Int.random(in: 0..<2000, using: &random) }
          let value = Int.random(in: -100..<2100, using: &random)
          let saved = try other.performAndWait { () throws -> Notification in
            let wanted = NSFetchRequest<NSManagedObject>(entityName: "Entry")
            wanted.predicate = NSPredicate(format: "key IN %@", keys)
            for object in try other.fetch(wanted) { object.setValue(value, forKey: "key") }
            let name = Notification.Name.NSManagedObjectContextDidSave
            let notes = try ContextNotes.of(other, name) { try other.save() }
            return try #require(notes.first)
          }
          context.mergeChanges(fromContextDidSave: saved)
          context.processPendingChanges()
        }
        let fresh = try context.fetch(request).map(\.objectID)
        #expect(controller.fetchedObjects?.map(\.objectID) == fresh, "seed \(seed)")
        #expect(!watcher.changes.isEmpty)
      }
    }
  }
}
