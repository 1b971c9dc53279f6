import Foundation

/// What SwiftData throws of its own. Errors of validation and of the store are Core Data's, as `NSError`s.
///
/// Two errors are equal when they are of one kind, so that `catch SwiftDataError.unsupportedPredicate` finds each of
/// them whatever its explanation. Source: developer.apple.com/documentation/swiftdata/swiftdataerror
public struct SwiftDataError: Error, Hashable {
  enum _Error: String, Hashable {
    case includePendingChangesWithBatchSize, unsupportedPredicate, unsupportedKeyPath
    case sortingPendingChangesWithIdentifiers, unsupportedSortDescriptor, duplicateConfiguration
    case configurationFileNameTooLong, configurationFileNameContainsInvalidCharacters
    case configurationSchemaNotFoundInContainerSchema, loadIssueModelContainer
    case modelValidationFailure, missingModelContext, backwardMigration, unknownSchema
    case historyTokenExpired, invalidTransactionFetchRequest
  }

  let _error: _Error
  let _explanation: String?
  /// What went wrong underneath: the error of the store that did not open, for one.
  public let underlyingError: (any Error)?

  init(_ error: _Error, _ explanation: String? = nil, because cause: (any Error)? = nil) {
    _error = error
    _explanation = explanation
    underlyingError = cause
  }

  public static func == (left: SwiftDataError, right: SwiftDataError) -> Bool {
    left._error == right._error
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(_error) }

  public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
    (error as? SwiftDataError) == pattern
  }

  /// A fetch with a batch size reads rows as the store has them: changes that are not saved cannot be among them.
  public static let includePendingChangesWithBatchSize = SwiftDataError(
    .includePendingChangesWithBatchSize)
  /// A predicate has a part that neither the store nor memory can answer.
  public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
  /// A key path does not name a persistent property.
  public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
  /// Identifiers cannot be sorted by changes that are not saved.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(
    .sortingPendingChangesWithIdentifiers)
  /// A sort descriptor is by something that is no persistent property.
  public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
  /// Two configurations of a container have one name, or one file.
  public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
  /// The file system takes no more than 255 bytes.
  public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    .configurationFileNameContainsInvalidCharacters)
  /// A configuration has models that the container's schema does not have.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    .configurationSchemaNotFoundInContainerSchema)
  /// A store did not open; ``underlyingError`` says why.
  public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
  /// A model does not keep to its schema.
  public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
  /// A model is in no context.
  public static let missingModelContext = SwiftDataError(.missingModelContext)
  /// The store is of a newer version than the plan's last.
  public static let backwardMigration = SwiftDataError(.backwardMigration)
  /// The store is of none of the versions of the plan.
  public static let unknownSchema = SwiftDataError(.unknownSchema)
  /// History has been deleted past the token.
  public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
  /// A predicate over history cannot be answered.
  public static let invalidTransactionFetchRequest = SwiftDataError(
    .invalidTransactionFetchRequest)
}

extension SwiftDataError: CustomStringConvertible, LocalizedError {
  public var description: String {
    let parts = [_explanation, underlyingError.map { "\($0)" }].compactMap { $0 }
    let rest = parts.isEmpty ? "" : ": " + parts.joined(separator: ": ")
    return "SwiftDataError.\(_error.rawValue)\(rest)"
  }

  public var errorDescription: String? { description }
}
