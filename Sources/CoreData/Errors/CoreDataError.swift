/// Makes Core Data's errors: `NSError`s of the domain `NSCocoaErrorDomain` with Apple's codes, texts
/// and user info. The one place that does.
///
/// A `reason` says what was expected, what was found and what to do. Stored values stay out of it.
package enum CoreDataError {
  /// The key under which an error says more than its text does.
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

  /// An error of one of the codes that have no name in `CocoaError.Code`.
  package static func make(
    code: Int, reason: String? = nil, userInfo: [String: Any] = [:]
  ) -> NSError {
    make(CocoaError.Code(rawValue: code), reason: reason, userInfo: userInfo)
  }

  /// Turns what a predicate or an expression throws into an error of Core Data with its text.
  static func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as NSError where error.domain == NSCocoaErrorDomain {
      throw error
    } catch {
      throw make(.coreData, reason: "\(error)")
    }
  }

  /// For what Apple's API offers and this package does not do: names it.
  package static func unsupported(_ what: String, instead: String? = nil) -> NSError {
    let advice = instead.map { " \($0)" } ?? ""
    return make(.coreData, reason: "\(what) is not available here.\(advice)")
  }
}
