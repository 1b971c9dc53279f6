/// The result of a request that is executed in the background, filled in when that has ended.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstoreasynchronousresult
///
/// Sendable so that any thread can cancel it; everything else belongs to the context's queue.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  // Sendable, sound: the context, the progress and the cancellation are constant; everything else
  // is written on the context's queue before the completion block is called.
  /// The context that executes the request.
  open private(set) var managedObjectContext: NSManagedObjectContext
  /// Counts the objects found; nil unless a `Progress` was current when the request was executed.
  open private(set) var progress: Progress?
  /// The error of a failed request; nil until the request has ended.
  open internal(set) var operationError: (any Error)?
  /// Asked by the store's reads if they shall stop: after ``cancel()`` or the progress's
  /// `cancel()`.
  let cancellation: ReadCancellation

  init(_ context: NSManagedObjectContext, estimatedCount: Int) {
    managedObjectContext = context
    let expected = Int64(max(estimatedCount, 1))
    let progress = Progress.current() == nil ? nil : ObservableProgress(totalUnitCount: expected)
    self.progress = progress
    // Sound: `Progress` may be read from any thread.
    let asked = UncheckedSendable { progress?.isCancelled == true }
    cancellation = ReadCancellation { asked.value() }
    super.init()
  }

  /// Cancels the request: stops a query that runs in a SQLite or PostgreSQL store. The completion
  /// block gets the error `CocoaError.userCancelled`, unless its call is already under way.
  open func cancel() { cancellation.cancel() }

  final var isCancelled: Bool { cancellation.isCancelled }
}
