/// The objects of a fetch, read in batches as their positions are accessed.
///
/// Only the ID of every object is held from the start. Accessing a position reads the values of its
/// whole batch with one query. Batches that are no longer in use are released, so that a walk over
/// a million objects needs the memory of a few batches.
///
/// On Apple's platforms `fetchBatchSize` makes `fetch(_:)` return an array that behaves so; a Swift
/// array cannot. Made by `fetchLazily(_:)` of a context; belongs to the context's queue.
///
/// An object that is gone when it is accessed, because it was never saved and its context was reset
/// or because its store was removed, is an object unknown to its context: a fault whose values are
/// nil.
///
///     for item in try context.fetchLazily(request) { … }
public struct LazyFetchResults<Element: NSManagedObject>: RandomAccessCollection {
  private let batches: LazyBatches

  init(
    context: NSManagedObjectContext, identities: ContiguousArray<PackedIdentity>, batchSize: Int
  ) {
    batches = LazyBatches(context, identities: identities, size: batchSize)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { batches.identities.count }

  /// The object at a position. If its row cannot be read it is a fault, which reports the error
  /// when a value is accessed.
  public subscript(position: Int) -> Element {
    let found = batches.object(at: position)
    // The object is mostly of this exact class; a dynamic cast costs several times as much.
    if type(of: found) == Element.self { return unsafeDowncast(found, to: Element.self) }
    guard let object = found as? Element else {
      fatalError("The fetch promises \(Element.self) and finds \(type(of: found))")
    }
    return object
  }
}

/// The batches of a lazy fetch, independent of the class of its objects.
private final class LazyBatches {
  private typealias Batch = (start: Int, objects: [NSManagedObject])

  let identities: ContiguousArray<PackedIdentity>
  private let context: NSManagedObjectContext
  private let namespace: IdentityNamespace
  /// The IDs of objects that were unsaved at the time of the fetch. A save gives such objects
  /// permanent IDs, which these IDs resolve to.
  private let temporary: [PackedIdentity: NSManagedObjectID]
  private let size: Int
  /// The context's `resetCount` when the batches were read.
  private var resetCount = 0
  // The two batches accessed last: the neighbours of an object stay alive while a list is scrolled.
  private var latest: Batch = (-1, [])
  private var second: Batch = (-1, [])

  init(
    _ context: NSManagedObjectContext, identities: ContiguousArray<PackedIdentity>, size: Int
  ) {
    self.context = context
    let namespace = IdentityNamespace(of: context)
    self.namespace = namespace
    let isWhole = identities.allSatisfy(namespace.has)
    self.identities = isWhole ? identities : identities.filter(namespace.has)
    let unsaved = identities.filter(\.isTemporary)
    temporary = Dictionary(uniqueKeysWithValues: unsaved.map { ($0, namespace.identity($0)) })
    self.size = size
  }

  func object(at position: Int) -> NSManagedObject {
    context.assertConfined()
    precondition(
      position >= 0 && position < identities.count,
      "Position \(position) of \(identities.count) results")
    let start = position / size * size
    if resetCount != context.resetCount {
      resetCount = context.resetCount
      (latest, second) = ((-1, []), (-1, []))
    }
    if latest.start == start { return latest.objects[position - start] }
    if second.start == start { return second.objects[position - start] }
    let objects = read(start)
    (second, latest) = (latest, (start, objects))
    return objects[position - start]
  }

  private func read(_ start: Int) -> [NSManagedObject] {
    let batch = identities[start..<min(start + size, identities.count)]
    if temporary.isEmpty, namespace.isCurrent(in: context) {
      // If the rows cannot be read, each object reports the error when it is accessed.
      let objects = (try? context.objects(batch)) ?? []
      if objects.count == batch.count { return objects }
    }
    context.takeOverPermanentIDs()
    return batch.map { packed in
      if let identity = temporary[packed]?.resolved, !identity.isTemporaryID {
        return context.knownOrFault(identity)
      }
      return namespace.object(packed, in: context)
    }
  }
}

extension NSManagedObjectContext {
  /// The batch size for a request that sets none.
  private static let usualBatchSize = 64

  /// Fetches objects lazily, in batches of the request's ``NSFetchRequest/fetchBatchSize`` (64 when
  /// that is 0), each read when one of its positions is accessed. The selection of objects and
  /// their order are those of the time of this call.
  ///
  /// - Throws: the errors of `fetch(_:)`, and 134060 for a request of another result type than
  ///   objects.
  public func fetchLazily<T: NSManagedObject>(
    _ request: NSFetchRequest<T>
  ) throws -> LazyFetchResults<T> {
    guard request.resultType == .managedObjectResultType else {
      throw CoreDataError.make(
        .coreData, reason: "A lazy fetch gives managed objects; use fetch(_:) for other types.")
    }
    let size = request.fetchBatchSize > 0 ? request.fetchBatchSize : Self.usualBatchSize
    return LazyFetchResults(
      context: self, identities: try fetchIdentities(request), batchSize: size)
  }
}
