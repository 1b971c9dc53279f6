extension CoreDataError {
  /// A property whose value is not valid.
  ///
  /// `value` and `predicate` may be left out; `text` is the developer's, for the description.
  package static func validation(
    _ code: CocoaError.Code, object: AnyObject?, key: String, value: Any? = nil,
    predicate: NSPredicate? = nil, text: String? = nil
  ) -> NSError {
    var userInfo: [String: Any] = [NSValidationKeyErrorKey: key]
    userInfo[NSValidationObjectErrorKey] = object
    userInfo[NSValidationValueErrorKey] = value
    userInfo[NSValidationPredicateErrorKey] = predicate
    userInfo[NSLocalizedDescriptionKey] = text
    return make(code, userInfo: userInfo)
  }

  /// One error for several: itself when there is one, else code 1560 with `NSDetailedErrorsKey`.
  /// Errors that stand for several are taken apart first. `errors` must not be empty.
  package static func combined(_ errors: [any Error]) -> any Error {
    let details = errors.flatMap(details(of:))
    if details.count == 1 { return details[0] }
    return make(.validationMultipleErrors, userInfo: [NSDetailedErrorsKey: details])
  }

  private static func details(of error: any Error) -> [any Error] {
    let cocoa = error as NSError
    guard cocoa.domain == NSCocoaErrorDomain, cocoa.code == NSValidationMultipleErrorsError,
      let details = cocoa.userInfo[NSDetailedErrorsKey] as? [any Error]
    else { return [error] }
    return details
  }
}
