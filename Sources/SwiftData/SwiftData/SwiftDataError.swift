import Foundation

/// An error that SwiftData itself throws. Errors of validation and of the store are Core Data's, as
/// `NSError`s.
///
/// Two errors are equal when they are of one kind, so that
/// `catch SwiftDataError.unsupportedPredicate` catches each of them with any explanation. Source:
/// developer.apple.com/documentation/swiftdata/swiftdataerror
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
  /// The underlying cause, such as the error of the store that did not open.
  public let underlyingError: (any Error)?

  init(_ error: _Error, explanation: String? = nil, because cause: (any Error)? = nil) {
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

  /// A fetch with a batch size was made while the context has unsaved changes: it reads rows as the
  /// store has them and cannot include those changes.
  public static let includePendingChangesWithBatchSize = SwiftDataError(
    .includePendingChangesWithBatchSize)
  /// The predicate has a part that neither the store nor memory can evaluate.
  public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
  /// The key path does not lead to a persistent property.
  public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
  /// Identifiers cannot be sorted while the context has unsaved changes.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(
    .sortingPendingChangesWithIdentifiers)
  /// A sort descriptor does not sort by a persistent property.
  public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
  /// Two configurations of a container have the same name or the same file.
  public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
  /// The name of the store's file is longer than 255 bytes, the limit of the file system.
  public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
  /// The name of the store's file contains characters that a file name cannot have.
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    .configurationFileNameContainsInvalidCharacters)
  /// A configuration has models that are missing from the container's schema.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    .configurationSchemaNotFoundInContainerSchema)
  /// A store could not be opened; ``underlyingError`` has the reason.
  public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
  /// A model violates its schema.
  public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
  /// The model is in no context.
  public static let missingModelContext = SwiftDataError(.missingModelContext)
  /// The store's version is newer than the last version of the migration plan.
  public static let backwardMigration = SwiftDataError(.backwardMigration)
  /// The store matches none of the versions of the migration plan.
  public static let unknownSchema = SwiftDataError(.unknownSchema)
  /// The history after the token has been deleted.
  public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
  /// The predicate over the history cannot be evaluated, or no store has transactions of this type.
  public static let invalidTransactionFetchRequest = SwiftDataError(
    .invalidTransactionFetchRequest)
}

extension SwiftDataError: CustomStringConvertible, LocalizedError {
  public var description: String {
    let parts = [_explanation, underlyingError.map { "\($0)" }].compactMap { $0 }
    let rest = parts.isEmpty ? "" : ": " + parts.joined(separator: ": ")
    return "SwiftDataError.\(_error.rawValue)\(rest)"
  }

  /// The error's description.
  public var errorDescription: String? { description }
}
