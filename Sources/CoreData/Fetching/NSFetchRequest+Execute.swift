extension NSFetchRequest {
  /// Executes the request in the context whose queue runs the caller.
  ///
  /// Throws what a fetch throws, and an error outside of a context's `perform` and `performAndWait`.
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
