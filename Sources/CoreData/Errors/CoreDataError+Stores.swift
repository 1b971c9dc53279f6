extension CoreDataError {
  /// An error about a store's file.
  package static func file(
    _ code: CocoaError.Code, url: URL, reason: String? = nil, underlying: (any Error)? = nil
  ) -> NSError {
    make(
      code, reason: reason, underlying: underlying, userInfo: [NSFilePathErrorKey: url.path])
  }

  /// What SQLite said: its code stands under `NSSQLiteErrorDomain` and in the underlying error.
  ///
  /// `message` is SQLite's own; it must hold no stored values.
  package static func sqlite(
    _ code: CocoaError.Code = .sqlite, resultCode: Int32, message: String, url: URL? = nil
  ) -> NSError {
    let underlying = NSError(
      domain: NSSQLiteErrorDomain, code: Int(resultCode),
      userInfo: [NSLocalizedDescriptionKey: message])
    var userInfo: [String: Any] = [NSSQLiteErrorDomain: Int(resultCode)]
    userInfo[NSFilePathErrorKey] = url?.path
    return make(code, reason: message, underlying: underlying, userInfo: userInfo)
  }

  /// The store was made by another version of the model (134100).
  package static func incompatibleModel(
    url: URL, metadata: [String: Any], reason: String? = nil
  ) -> NSError {
    make(
      .persistentStoreIncompatibleVersionHash,
      reason: reason ?? "The model used to open the store is incompatible with the one used to "
        + "create the store",
      userInfo: ["metadata": metadata, NSFilePathErrorKey: url.path])
  }

  /// The object is not in its store any more (133000).
  package static func missingObject(_ identity: NSManagedObjectID) -> NSError {
    make(
      .managedObjectReferentialIntegrity,
      reason: "The store has no object with the ID \(identity).",
      userInfo: [NSAffectedObjectsErrorKey: [identity]])
  }
}
