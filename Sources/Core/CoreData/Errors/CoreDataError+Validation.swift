extension CoreDataError {
  /// An error about a property with an invalid value.
  ///
  /// `text` is the developer's description; without it, the description is the code's text.
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

  /// Combines several errors into one: a single error is returned itself, more become error 1560
  /// with `NSDetailedErrorsKey`. An error that is itself a combination contributes its parts.
  /// `errors` must not be empty.
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
