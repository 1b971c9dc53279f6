import CoreData
import Foundation

extension ModelContext {
  /// The models of a descriptor; changes that are not saved count, unless the descriptor says otherwise.
  ///
  /// Throws ``SwiftDataError/unsupportedPredicate``, ``SwiftDataError/unsupportedSortDescriptor`` and
  /// ``SwiftDataError/unsupportedKeyPath``, each with what it is about.
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    catchUp()
    let request = try StoreRequest(descriptor, self)
    let objects = try managed.fetch(request.fetchRequest(NSManagedObject.self))
    return try request.finish(faces(objects))
  }

  private func faces<T: PersistentModel>(_ objects: consuming [NSManagedObject]) -> [T] {
    // The entity was that of T: its objects' faces are of T, or of classes that inherit from it.
    unsafeBitCast(ManagedModelObject.faces(objects), to: [T].self)
  }

  /// The same, read from the store as the collection is read: `batchSize` rows at a time.
  ///
  /// Throws ``SwiftDataError/includePendingChangesWithBatchSize`` when there are changes that would have to be
  /// among them.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    catchUp()
    if descriptor.includePendingChanges, managed.hasChanges {
      throw SwiftDataError.includePendingChangesWithBatchSize
    }
    let request = try StoreRequest(descriptor, self)
    if request.finishesInMemory {
      let models = try fetch(descriptor)
      return FetchResultsCollection(count: models.count) { models[$0] }
    }
    let fetch = request.fetchRequest(NSManagedObject.self)
    fetch.fetchBatchSize = batchSize
    let objects = try managed.fetch(fetch)
    return FetchResultsCollection(count: objects.count) {
      (objects[$0] as! ManagedModelObject).face(as: T.self)
    }
  }

  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    catchUp()
    let request = try StoreRequest(descriptor, self)
    if request.finishesInMemory { return try fetch(descriptor).count }
    return try managed.count(for: request.fetchRequest(NSManagedObject.self))
  }

  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    catchUp()
    let request = try StoreRequest(descriptor, self)
    if descriptor.includePendingChanges, managed.hasChanges, !descriptor.sortBy.isEmpty {
      throw SwiftDataError.sortingPendingChangesWithIdentifiers
    }
    if request.finishesInMemory { return try fetch(descriptor).map(\.persistentModelID) }
    let fetch = request.fetchRequest(NSManagedObjectID.self)
    fetch.resultType = .managedObjectIDResultType
    return try managed.fetch(fetch).map { PersistentIdentifier($0) }
  }

  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    if descriptor.includePendingChanges, managed.hasChanges {
      throw SwiftDataError.includePendingChangesWithBatchSize
    }
    let identifiers = try fetchIdentifiers(descriptor)
    return FetchResultsCollection(count: identifiers.count) { identifiers[$0] }
  }

  /// Calls a block with each model, reading `batchSize` at a time and letting those go that were not changed.
  ///
  /// Throws ``SwiftDataError/modelValidationFailure`` for a block that changes models without
  /// `allowEscapingMutations`; with it, what was changed waits for the next save.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws {
    catchUp()
    let identifiers =
      try StoreRequest(fetch, self).finishesInMemory || managed.hasChanges
      ? try self.fetch(fetch).map { $0.managed!.objectID } : try objectIDs(fetch)
    let hadChanges = managed.hasChanges
    var start = 0
    while start < identifiers.count {
      let end = min(start + max(batchSize, 1), identifiers.count)
      let request = NSFetchRequest<NSManagedObject>(
        entityName: Schema.entityName(for: T.self))
      request.predicate = NSPredicate(format: "SELF IN %@", Array(identifiers[start..<end]))
      let objects = try managed.fetch(request)
      for id in identifiers[start..<end] {
        let object = managed.object(with: id) as? ManagedModelObject
        if let model = object?.face(as: T.self) { try block(model) }
        if !allowEscapingMutations, !hadChanges, managed.hasChanges {
          throw SwiftDataError(
            .modelValidationFailure,
            "The block of enumerate changed a \(T.self); pass allowEscapingMutations: true to allow it"
          )
        }
      }
      withExtendedLifetime(objects) {}
      start = end
    }
  }

  private func objectIDs<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [NSManagedObjectID] {
    let fetch = try StoreRequest(descriptor, self).fetchRequest(NSManagedObjectID.self)
    fetch.resultType = .managedObjectIDResultType
    return try managed.fetch(fetch)
  }

  /// Marks all models of a class that meet a predicate for deletion at the next save.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    catchUp()
    let request = try StoreRequest(FetchDescriptor<T>(predicate: predicate), self)
    let fetch = request.fetchRequest(NSManagedObject.self)
    fetch.includesSubentities = includeSubclasses
    let objects = try managed.fetch(fetch)
    let hadChanges = managed.hasChanges
    var found: [NSManagedObjectID] = []
    for case let object as ManagedModelObject in objects {
      if request.finishesInMemory, predicate?.holds(for: object.face(as: T.self)) == false {
        continue
      }
      delete(object.face(as: T.self))
      found.append(object.objectID)
    }
    // Edits that no store knows may be why a model is among them.
    let store = hadChanges ? nil : managed.stores.customStore(of: T.self)
    guard let store, store.access.deletesInBatches else {
      managed.batchDeletion = nil
      return
    }
    managed.batchDeletion = BatchDeletion(
      model, where: predicate, includeSubclasses: includeSubclasses, found: found, in: store)
  }
}

/// A descriptor as the store understands it, and what is left to do in memory.
struct StoreRequest<T: PersistentModel> {
  private let descriptor: FetchDescriptor<T>
  private let predicate: TranslatedPredicate?
  private let sortDescriptors: [NSSortDescriptor]
  private let isOfCustomStore: Bool
  /// How many models have edits that the store does not know, and that may move any row into what is asked for or out of it.
  private let edited: Int

  /// Whether related models have edits that the predicate asks for.
  private let dependsOnEdits: Bool

  private var filtersInMemory: Bool { dependsOnEdits || predicate?.filtersInMemory ?? false }
  private var limit: Int? { descriptor.fetchLimit.flatMap { $0 > 0 ? $0 : nil } }
  private var offset: Int { max(descriptor.fetchOffset ?? 0, 0) }
  private var countsFromEdited: Bool { edited > 0 && (limit != nil || offset > 0) }

  /// As many rows as there have to be for those that are asked for to be among them; 0 for all.
  private var limitWithEdited: Int {
    guard let limit else { return 0 }
    let (rows, isTooMany) = limit.addingReportingOverflow(offset)
    let (all, isTooManyInAll) = rows.addingReportingOverflow(edited)
    return isTooMany || isTooManyInAll ? 0 : all
  }

  /// Whether the store gives more than was asked for.
  var finishesInMemory: Bool { filtersInMemory || countsFromEdited }

  /// - Parameter isFollowed: whether the request is asked again and again, by a list that follows changes.
  init(
    _ descriptor: FetchDescriptor<T>, _ context: ModelContext, isFollowed: Bool = false
  ) throws {
    self.descriptor = descriptor
    isOfCustomStore = context.managed.stores.customStore(of: T.self) != nil
    edited = isFollowed || !descriptor.includePendingChanges ? 0 : context.managed.editedCount
    predicate = try descriptor.predicate?.translated(in: context)
    let includesEdits = descriptor.includePendingChanges && !isFollowed
    dependsOnEdits = includesEdits && predicate?.dependsOnEdits(in: context) == true
    sortDescriptors = try descriptor.sortBy.map { try $0.translated() }
  }

  func fetchRequest<Result: NSFetchRequestResult>(
    _ type: Result.Type
  ) -> NSFetchRequest<Result> {
    let request = NSFetchRequest<Result>(entityName: Schema.entityName(for: T.self))
    request.predicate = dependsOnEdits ? nil : predicate?.predicate
    request.sortDescriptors = sortDescriptors
    request.includesPendingChanges = descriptor.includePendingChanges
    if !finishesInMemory {
      request.fetchLimit = limit ?? 0
      request.fetchOffset = offset
    } else if !filtersInMemory {
      request.fetchLimit = limitWithEdited
    }
    let type = ModelType.of(T.self)
    let prefetched = descriptor.relationshipKeyPathsForPrefetching.compactMap {
      type.property(for: $0)?.name
    }
    request.relationshipKeyPathsForPrefetching = prefetched
    if isOfCustomStore {
      request.settings.question = DescriptorQuestion(descriptor, request.predicate)
      // Who else writes it tells nobody.
      request.shouldRefreshRefetchedObjects = true
    }
    return request
  }

  func finish(_ models: [T]) throws -> [T] {
    guard finishesInMemory else { return models }
    let predicate = filtersInMemory ? descriptor.predicate : nil
    let found = predicate.map { predicate in models.filter { predicate.holds(for: $0) } } ?? models
    let rest = found.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }
}
