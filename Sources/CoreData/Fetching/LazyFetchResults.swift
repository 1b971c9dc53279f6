/// The objects of a fetch, read in batches as they are looked at.
///
/// Knows the ID of every object from the start and nothing else: an object is made when its position is
/// asked for, and then the values of its whole batch are read with one query. A batch that nobody uses any
/// more is forgotten, so a walk over a million objects needs the memory of a few batches.
///
/// What `fetchBatchSize` gives on Apple's platforms is an array that does the same; an array of Swift's
/// cannot. Made by `fetchLazily(_:)` of a context; belongs to the context's queue.
///
///     for item in try context.fetchLazily(request) { … }
public struct LazyFetchResults<Element: NSManagedObject>: RandomAccessCollection {
  /// The batches looked at last: neighbours of an object stay alive while a list is scrolled.
  private final class Recent {
    private static var most: Int { 2 }
    private var batches: [(start: Int, objects: [NSManagedObject])] = []

    func batch(_ start: Int) -> [NSManagedObject]? {
      batches.first { $0.start == start }?.objects
    }

    func keep(_ objects: [NSManagedObject], _ start: Int) {
      batches.append((start, objects))
      if batches.count > Self.most { batches.removeFirst() }
    }
  }

  private let context: NSManagedObjectContext
  private let identities: ContiguousArray<PackedIdentity>
  private let batchSize: Int
  private let recent = Recent()

  init(
    context: NSManagedObjectContext, identities: ContiguousArray<PackedIdentity>, batchSize: Int
  ) {
    self.context = context
    self.identities = identities
    self.batchSize = batchSize
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { identities.count }

  /// The object at a position. A row that cannot be read stops the program, as a fault does.
  public subscript(position: Int) -> Element {
    context.assertConfined()
    precondition(indices.contains(position), "Position \(position) of \(count) results")
    let start = position / batchSize * batchSize
    let batch = recent.batch(start) ?? read(start)
    guard let object = batch[position - start] as? Element else {
      fatalError(
        "The fetch promises \(Element.self) and finds \(type(of: batch[position - start]))")
    }
    return object
  }

  private func read(_ start: Int) -> [NSManagedObject] {
    let range = start..<Swift.min(start + batchSize, identities.count)
    let objects = identities[range].map { context.object(for: $0) }
    do { try context.fillFaultsAtOnce(objects) } catch {
      fatalError("CoreData could not read a batch of a fetch: \(error)")
    }
    recent.keep(objects, start)
    return objects
  }
}

extension NSManagedObjectContext {
  /// How many objects a lazy fetch reads at a time when the request does not say.
  private static let usualBatchSize = 64

  /// The objects that a request describes, read in batches of its ``NSFetchRequest/fetchBatchSize`` (64
  /// when that is 0) as they are looked at. Which objects these are, and their order, is settled now.
  ///
  /// - Throws: what ``fetch(_:)`` throws, and an error for a request of another result type than objects.
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
