/// The completion block of an asynchronous fetch, called on the context's queue.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
  NSAsynchronousFetchResult<NSFetchRequestResult>
) -> Void

/// A fetch that a context executes in the background: another thread reads the rows while the
/// context's queue goes on; a later block on that queue turns them into objects.
open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
  /// The fetch request that is executed.
  open private(set) var fetchRequest: NSFetchRequest<ResultType>
  /// The expected number of results: the progress's total until the real number is known.
  open var estimatedResultCount = 0
  private let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

  /// Makes a request. The completion block is called on the context's queue with the result, which
  /// has objects or an error.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    completion = blk
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// The block that is called with the result when the fetch has ended.
  open var completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)? { completion }
}

/// The result of an asynchronous fetch.
///
/// Source: developer.apple.com/documentation/coredata/nsasynchronousfetchresult
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>:
  NSPersistentStoreAsynchronousResult, @unchecked Sendable
{
  // Sendable: sound for the reason given at the superclass.
  /// The request that is executed.
  open private(set) var fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// The results; nil until the fetch has ended, and nil if it failed.
  open internal(set) var finalResult: [ResultType]?

  init(_ request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext) {
    fetchRequest = request
    super.init(context, estimatedCount: request.estimatedResultCount)
  }
}

/// An asynchronous fetch without its generic result type, as a context uses it.
protocol AsynchronousFetch: NSPersistentStoreRequest {
  func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AsynchronousFetch {
  /// Starts the fetch; called on the context's queue. Throws at once if the request itself is
  /// invalid.
  func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    if affectedStores != nil { fetchRequest.affectedStores = affectedStores }
    let result = NSAsynchronousFetchResult(self, in: context)
    let (plan, stores) = try context.prepare(fetchRequest)
    let source = context.source
    let reads = fetchRequest.resultType == .managedObjectResultType
    // Sound: the plan and the stores are not changed any more, and the rows are passed on sealed.
    let work = UncheckedSendable { [self] in
      let rows = Result {
        reads
          ? try result.cancellation.watching { try source?.rows(plan, stores: stores) ?? [] } : []
      }
      let end = UncheckedSendable { self.finish(result, rows: reads ? rows : nil, plan: plan) }
      context.confinement.perform { end.value() }
    }
    DispatchQueue.global(qos: .userInitiated).async { work.value() }
    return result
  }

  /// Ends the fetch on the context's queue: makes the objects and calls the completion block.
  ///
  /// - Parameter rows: nil for results other than objects, which are fetched here.
  private func finish(
    _ result: NSAsynchronousFetchResult<ResultType>, rows: Result<[Row], any Error>?,
    plan: FetchPlan
  ) {
    let context = result.managedObjectContext
    do {
      if result.isCancelled { throw CocoaError(.userCancelled) }
      let rows = try rows?.get()
      let objects = try rows.map {
        try context.objects(of: $0, plan, settings: fetchRequest.settings)
      }
      let found = context.typed(
        try objects ?? result.cancellation.watching { try context.results(of: fetchRequest) },
        request: fetchRequest)
      result.finalResult = found
      result.progress?.totalUnitCount = Int64(found.count)
      result.progress?.completedUnitCount = Int64(found.count)
    } catch {
      result.operationError = result.isCancelled ? CocoaError(.userCancelled) : error
    }
    completionBlock?(result)
    context.endEvent()
  }
}
