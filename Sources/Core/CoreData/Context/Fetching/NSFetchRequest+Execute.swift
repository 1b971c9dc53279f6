extension NSFetchRequest {
  /// Executes the request in the context on whose queue the caller runs.
  ///
  /// - Throws: the errors of a fetch, and 134060 outside of a context's `perform` and
  ///   `performAndWait`.
  public final func execute() throws -> [ResultType] {
    guard let context = EnteredContexts.current else {
      throw CoreDataError.make(
        .coreData,
        reason: "execute() was called outside of a context's queue; call it in perform or "
          + "performAndWait, or use the context's fetch(_:).")
    }
    return try context.fetch(self)
  }
}
