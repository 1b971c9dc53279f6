import CoreData
import Foundation

extension ModelContext {
  /// Fetches the models of a descriptor; includes unsaved changes unless the descriptor excludes
  /// them.
  ///
  /// Throws ``SwiftDataError/unsupportedPredicate``, ``SwiftDataError/unsupportedSortDescriptor``
  /// and ``SwiftDataError/unsupportedKeyPath``, each with the part that it refers to.
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    catchUp()
    let request = try StoreRequest(descriptor, in: self)
    let objects = try managed.fetch(request.fetchRequest(NSManagedObject.self))
    return try request.finish(faces(objects))
  }

  private func faces<T: PersistentModel>(_ objects: consuming [NSManagedObject]) -> [T] {
    // Sound: the fetched entity is that of `T`, so each face is a `T` or an instance of a subclass,
    // and arrays of class references have one layout.
    unsafeBitCast(ManagedModelObject.faces(objects), to: [T].self)
  }

  /// Fetches the models of a descriptor lazily: rows are read `batchSize` at a time as the
  /// collection is read.
  ///
  /// Throws ``SwiftDataError/includePendingChangesWithBatchSize`` if the descriptor includes
  /// unsaved changes and the context has any.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    catchUp()
    if descriptor.includePendingChanges, managed.hasChanges {
      throw SwiftDataError.includePendingChangesWithBatchSize
    }
    let request = try StoreRequest(descriptor, in: self)
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

  /// Counts the models of a descriptor without reading them, if the store can evaluate the whole
  /// predicate. Throws the errors of ``fetch(_:)``.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    catchUp()
    let request = try StoreRequest(descriptor, in: self)
    if request.finishesInMemory { return try fetch(descriptor).count }
    return try managed.count(for: request.fetchRequest(NSManagedObject.self))
  }

  /// Fetches the identifiers of the models of a descriptor.
  ///
  /// Throws ``SwiftDataError/sortingPendingChangesWithIdentifiers`` if the descriptor sorts and
  /// includes unsaved changes and the context has any; also the errors of ``fetch(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    catchUp()
    let request = try StoreRequest(descriptor, in: self)
    if descriptor.includePendingChanges, managed.hasChanges, !descriptor.sortBy.isEmpty {
      throw SwiftDataError.sortingPendingChangesWithIdentifiers
    }
    if request.finishesInMemory { return try fetch(descriptor).map(\.persistentModelID) }
    let fetch = request.fetchRequest(NSManagedObjectID.self)
    fetch.resultType = .managedObjectIDResultType
    return try managed.fetch(fetch).map { PersistentIdentifier($0) }
  }

  /// Fetches the identifiers of the models of a descriptor as a collection.
  ///
  /// Throws ``SwiftDataError/includePendingChangesWithBatchSize`` if the descriptor includes
  /// unsaved changes and the context has any; also the errors of ``fetch(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    if descriptor.includePendingChanges, managed.hasChanges {
      throw SwiftDataError.includePendingChangesWithBatchSize
    }
    let identifiers = try fetchIdentifiers(descriptor)
    return FetchResultsCollection(count: identifiers.count) { identifiers[$0] }
  }

  /// Calls a block with each model. Reads `batchSize` models at a time and releases those that the
  /// block did not change.
  ///
  /// Throws ``SwiftDataError/modelValidationFailure`` if the block changes models and
  /// `allowEscapingMutations` is false. If it is true, the changes wait for the next save.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws {
    catchUp()
    let identifiers =
      try StoreRequest(fetch, in: self).finishesInMemory || managed.hasChanges
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
            explanation:
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
    let fetch = try StoreRequest(descriptor, in: self).fetchRequest(NSManagedObjectID.self)
    fetch.resultType = .managedObjectIDResultType
    return try managed.fetch(fetch)
  }

  /// Marks all models of a class that meet a predicate for deletion at the next save.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    catchUp()
    let request = try StoreRequest(FetchDescriptor<T>(predicate: predicate), in: self)
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
    // Unsaved edits, which the store does not know, may be the reason why a model was found.
    let store = hadChanges ? nil : managed.stores.customStore(of: T.self)
    guard let store, store.access.deletesInBatches else {
      managed.batchDeletion = nil
      return
    }
    managed.batchDeletion = BatchDeletion(
      model, where: predicate, includeSubclasses: includeSubclasses, found: found, in: store)
  }
}

/// A descriptor translated for the store, with the remaining work in memory.
struct StoreRequest<T: PersistentModel> {
  private let descriptor: FetchDescriptor<T>
  private let predicate: TranslatedPredicate?
  private let sortDescriptors: [NSSortDescriptor]
  private let isOfCustomStore: Bool
  /// Number of models with edits unknown to the store. Each of them may move a row into the results
  /// or out of them.
  private let edited: Int

  /// Whether the predicate reads values of related models that have unsaved edits.
  private let dependsOnEdits: Bool

  private var filtersInMemory: Bool { dependsOnEdits || predicate?.filtersInMemory ?? false }
  private var limit: Int? { descriptor.fetchLimit.flatMap { $0 > 0 ? $0 : nil } }
  private var offset: Int { max(descriptor.fetchOffset ?? 0, 0) }
  private var countsFromEdited: Bool { edited > 0 && (limit != nil || offset > 0) }

  /// The number of rows to fetch so that the requested ones are among them; 0 for all.
  private var limitWithEdited: Int {
    guard let limit else { return 0 }
    let (rows, isTooMany) = limit.addingReportingOverflow(offset)
    let (all, isTooManyInAll) = rows.addingReportingOverflow(edited)
    return isTooMany || isTooManyInAll ? 0 : all
  }

  /// Whether the store returns more rows than requested.
  var finishesInMemory: Bool { filtersInMemory || countsFromEdited }

  /// - Parameter isFollowed: whether a list that follows changes keeps evaluating the request.
  init(
    _ descriptor: FetchDescriptor<T>, in context: ModelContext, isFollowed: Bool = false
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
      request.settings.question = DescriptorQuestion(descriptor, predicate: request.predicate)
      // Another writer of a custom store sends no notification of its changes.
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
