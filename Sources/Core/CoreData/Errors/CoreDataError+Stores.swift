extension CoreDataError {
  /// An error about a store's file, with the file's path.
  package static func file(
    _ code: CocoaError.Code, url: URL, reason: String? = nil, underlying: (any Error)? = nil
  ) -> NSError {
    make(
      code, reason: reason, underlying: underlying, userInfo: [NSFilePathErrorKey: url.path])
  }

  /// An error from SQLite, with SQLite's result code under `NSSQLiteErrorDomain` and in the
  /// underlying error.
  ///
  /// `message` is SQLite's own; it must contain no stored values.
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

  /// Error 134100: another version of the model made the store.
  package static func incompatibleModel(
    url: URL, metadata: [String: Any], reason: String? = nil
  ) -> NSError {
    make(
      .persistentStoreIncompatibleVersionHash,
      reason: reason ?? "The model used to open the store is incompatible with the one used to "
        + "create the store",
      userInfo: ["metadata": metadata, NSFilePathErrorKey: url.path])
  }
}
