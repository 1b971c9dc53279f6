/// The result of a request that is executed on the side: it fills itself later.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstoreasynchronousresult
///
/// Sendable so that it can be cancelled from anywhere; everything else is for the context's queue.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  // Sound: the context, the progress and the cancellation are constant; the rest is written on the
  // context's queue before the completion is called.
  /// The context that executes the request.
  public final let managedObjectContext: NSManagedObjectContext
  /// Counts the objects that were found; nil unless a `Progress` was current when the request was given.
  public final let progress: Progress?
  /// Why there is no result; nil while there is none yet.
  public internal(set) final var operationError: (any Error)?
  /// What the store's reads ask: by ``cancel()`` or by way of the progress.
  let cancellation: ReadCancellation

  init(_ context: NSManagedObjectContext, estimatedCount: Int) {
    managedObjectContext = context
    let expected = Int64(max(estimatedCount, 1))
    let progress = Progress.current() == nil ? nil : ObservableProgress(totalUnitCount: expected)
    self.progress = progress
    // Sound: a progress is asked from anywhere.
    let asked = UncheckedSendable { progress?.isCancelled == true }
    cancellation = ReadCancellation { asked.value() }
    super.init()
  }

  /// Gives the request up: a query that runs in a SQLite or PostgreSQL store is stopped, and the completion is called with
  /// the error `CocoaError.userCancelled`, unless it is on its way already.
  open func cancel() { cancellation.cancel() }

  final var isCancelled: Bool { cancellation.isCancelled }
}
