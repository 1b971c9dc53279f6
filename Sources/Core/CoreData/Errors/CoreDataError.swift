/// The factory of Core Data's errors: `NSError`s in the domain `NSCocoaErrorDomain` with Apple's
/// codes, texts and user info. Errors are made here only.
///
/// A `reason` says what was expected, what was found and what to do. It contains no stored values.
package enum CoreDataError {
  /// The user info key of an error's reason, which is more specific than its description.
  package static let reasonKey = "reason"

  /// An error of any code; the text of the code becomes the localized description.
  package static func make(
    _ code: CocoaError.Code, reason: String? = nil, underlying: (any Error)? = nil,
    userInfo: [String: Any] = [:]
  ) -> NSError {
    var userInfo = userInfo
    if let reason {
      userInfo[reasonKey] = reason
      userInfo[NSLocalizedFailureReasonErrorKey] = reason
    }
    if let underlying { userInfo[NSUnderlyingErrorKey] = underlying }
    if userInfo[NSLocalizedDescriptionKey] == nil {
      let property = userInfo[NSValidationKeyErrorKey] as? String
      userInfo[NSLocalizedDescriptionKey] = ErrorTexts.text(of: code.rawValue, property: property)
    }
    return NSError(domain: NSCocoaErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// An error with a code that has no name in `CocoaError.Code`.
  package static func make(
    code: Int, reason: String? = nil, userInfo: [String: Any] = [:]
  ) -> NSError {
    make(CocoaError.Code(rawValue: code), reason: reason, userInfo: userInfo)
  }

  /// Converts an error of a predicate or expression into error 134060 with its text as the reason.
  static func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as NSError where error.domain == NSCocoaErrorDomain {
      throw error
    } catch {
      throw make(.coreData, reason: "\(error)")
    }
  }

  /// Error 134060 for a feature of Apple's API that is missing here; the reason names the feature.
  package static func unsupported(_ what: String, instead: String? = nil) -> NSError {
    let advice = instead.map { " \($0)" } ?? ""
    return make(.coreData, reason: "\(what) is not available here.\(advice)")
  }
}
