/// Keys of the user info of Core Data's errors.
///
/// Source: developer.apple.com/documentation/coredata/core-data-constants (Error User Info Keys)

/// The errors (`[Error]`) that an error of code `NSValidationMultipleErrorsError` combines.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The invalid object.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The name of the invalid property.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The predicate that a value fails to match.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The invalid value.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The stores that the error concerns.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The objects that the error concerns.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The conflicts (`[NSMergeConflict]`) that prevented a save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of SQLite's result codes, and the key of the result code in an error of a store.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
