/// What is called when an asynchronous fetch has ended, on the context's queue.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
  NSAsynchronousFetchResult<NSFetchRequestResult>
) -> Void

/// A fetch that a context executes on the side: the rows are read on another thread while the context's
/// queue goes on, and become objects in a later turn of that queue.
///
/// Source: developer.apple.com/documentation/coredata/nsasynchronousfetchrequest
open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
  public final let fetchRequest: NSFetchRequest<ResultType>
  /// How many results are expected: the total of the progress until the number is known.
  open var estimatedResultCount = 0
  private let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

  /// The block is called on the context's queue with the result, which has objects or an error.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    completion = blk
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// What is called at the end.
  open var completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)? { completion }
}

/// The result of an asynchronous fetch.
///
/// Source: developer.apple.com/documentation/coredata/nsasynchronousfetchresult
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>:
  NSPersistentStoreAsynchronousResult, @unchecked Sendable
{
  // Sound for the reason given at the superclass.
  public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// What was found; nil until then, and when there is an error.
  public internal(set) final var finalResult: [ResultType]?

  init(_ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext) {
    fetchRequest = request
    super.init(context, estimatedCount: request.estimatedResultCount)
  }
}

/// An asynchronous fetch of any type of results, as a context sees it.
protocol AsynchronousFetch: NSPersistentStoreRequest {
  func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AsynchronousFetch {
  /// Called on the context's queue. Throws at once what is wrong with the request itself.
  func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    if affectedStores != nil { fetchRequest.affectedStores = affectedStores }
    let result = NSAsynchronousFetchResult(self, context)
    let (plan, stores) = try context.prepare(fetchRequest)
    let source = context.source
    let reads = fetchRequest.resultType == .managedObjectResultType
    // Sound: the plan and the stores are not changed after this, and the rows are handed on sealed.
    let work = UncheckedSendable { [self] in
      let rows = Result {
        reads ? try result.cancellation.watching { try source?.rows(plan, stores) ?? [] } : []
      }
      let end = UncheckedSendable { self.finish(result, reads ? rows : nil, plan) }
      context.confinement.perform { end.value() }
    }
    DispatchQueue.global(qos: .userInitiated).async { work.value() }
    return result
  }

  /// - Parameter rows: nil for results that are no objects; those are fetched now.
  private func finish(
    _ result: NSAsynchronousFetchResult<ResultType>, _ rows: Result<[Row], any Error>?,
    _ plan: FetchPlan
  ) {
    let context = result.managedObjectContext
    do {
      if result.isCancelled { throw CocoaError(.userCancelled) }
      let rows = try rows?.get()
      let objects = try rows.map { try context.objects(of: $0, plan, fetchRequest.settings) }
      let found = context.typed(
        try objects ?? result.cancellation.watching { try context.results(of: fetchRequest) },
        fetchRequest)
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
