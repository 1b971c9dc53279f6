/// Keys of the user info of Core Data's errors.
///
/// Source: developer.apple.com/documentation/coredata/core-data-constants (Error User Info Keys)

/// The errors (`[Error]`) that one error of code `NSValidationMultipleErrorsError` stands for.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The object that is not valid.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The name of the property that is not valid.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The predicate that a value does not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that is not valid.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The stores that the error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The objects that the error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The conflicts (`[NSMergeConflict]`) that kept a save from being written.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of SQLite's codes, and the key under which an error of the store has its code.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
