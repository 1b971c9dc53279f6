import Synchronization

/// The result of a request that is executed on the side: it fills itself later.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstoreasynchronousresult
///
/// Sendable so that it can be cancelled from anywhere; everything else is for the context's queue.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  // Sound: the context and the progress are constant, `cancelled` has its lock; the rest is written on the
  // context's queue before the completion is called.
  /// The context that executes the request.
  public final let managedObjectContext: NSManagedObjectContext
  /// Counts the objects that were found; nil unless a `Progress` was current when the request was given.
  public final let progress: Progress?
  /// Why there is no result; nil while there is none yet.
  public internal(set) final var operationError: (any Error)?
  private let cancelled = Mutex(false)

  init(_ context: NSManagedObjectContext, estimatedCount: Int) {
    managedObjectContext = context
    let expected = Int64(max(estimatedCount, 1))
    progress = Progress.current() == nil ? nil : Progress(totalUnitCount: expected)
    super.init()
  }

  /// Gives the request up: its completion is called with the error `CocoaError.userCancelled`, unless it is
  /// on its way already.
  open func cancel() { cancelled.withLock { $0 = true } }

  /// By ``cancel()`` or by way of the progress.
  final var isCancelled: Bool { cancelled.withLock { $0 } || progress?.isCancelled == true }
}
