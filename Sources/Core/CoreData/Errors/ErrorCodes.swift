/// The codes of Core Data's errors in `NSCocoaErrorDomain`.
///
/// Source: developer.apple.com/documentation/coredata/core-data-constants (Error Codes)

// MARK: - Validation

/// A value is invalid, for a reason without a code of its own.
public let NSManagedObjectValidationError = 1550
/// Uniqueness constraints are violated.
public let NSManagedObjectConstraintValidationError = 1551
/// Several validation errors, which are under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// A mandatory property has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has too few members.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A to-many relationship has too many members.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A relationship with the delete rule Deny is not empty.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is too large.
public let NSValidationNumberTooLargeError = 1610
/// A number is too small.
public let NSValidationNumberTooSmallError = 1620
/// A date is too late.
public let NSValidationDateTooLateError = 1630
/// A date is too early.
public let NSValidationDateTooSoonError = 1640
/// A date is invalid.
public let NSValidationInvalidDateError = 1650
/// A string is too long.
public let NSValidationStringTooLongError = 1660
/// A string is too short.
public let NSValidationStringTooShortError = 1670
/// A string does not match the attribute's pattern.
public let NSValidationStringPatternMatchingError = 1680
/// A URI is invalid.
public let NSValidationInvalidURIError = 1690

// MARK: - Locking

/// The lock of a context could not be acquired.
public let NSManagedObjectContextLockingError = 132000
/// The lock of a coordinator could not be acquired.
public let NSPersistentStoreCoordinatorLockingError = 132010

// MARK: - Merging

/// An object does not exist in its store.
public let NSManagedObjectReferentialIntegrityError = 133000
/// An object to save refers to an object in another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// The merge policy could not resolve a conflict.
public let NSManagedObjectMergeError = 133020
/// The merge policy could not resolve a violation of uniqueness constraints.
public let NSManagedObjectConstraintMergeError = 133021

// MARK: - Stores

/// The type, format or version of a store is unknown.
public let NSPersistentStoreInvalidTypeError = 134000
/// A store is of another type than the one that was requested.
public let NSPersistentStoreTypeMismatchError = 134010
/// The schema of a store is incompatible with the model.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// A save failed, for a reason without a code of its own.
public let NSPersistentStoreSaveError = 134030
/// A save failed in one of several stores, after others were written.
public let NSPersistentStoreIncompleteSaveError = 134040
/// A save has conflicts, which are under `NSPersistentStoreSaveConflictsErrorKey`.
public let NSPersistentStoreSaveConflictsError = 134050
/// An error of Core Data without a code of its own.
public let NSCoreDataError = 134060
/// An operation of a store failed.
public let NSPersistentStoreOperationError = 134070
/// A store could not be opened.
public let NSPersistentStoreOpenError = 134080
/// A store could not be reached within the timeout.
public let NSPersistentStoreTimeoutError = 134090
/// A store does not support this type of request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The version hashes of a store differ from the model's.
public let NSPersistentStoreIncompatibleVersionHashError = 134100

// MARK: - Migration

/// A migration failed, for a reason without a code of its own.
public let NSMigrationError = 134110
/// A migration would violate a uniqueness constraint.
public let NSMigrationConstraintViolationError = 134111
/// A migration was cancelled.
public let NSMigrationCancelledError = 134120
/// The source model of a migration was not found.
public let NSMigrationMissingSourceModelError = 134130
/// The mapping model of a migration was not found.
public let NSMigrationMissingMappingModelError = 134140
/// The source store of a migration has a problem.
public let NSMigrationManagerSourceStoreError = 134150
/// The destination store of a migration has a problem.
public let NSMigrationManagerDestinationStoreError = 134160
/// An entity migration policy failed.
public let NSEntityMigrationPolicyError = 134170

// MARK: - Other parts

/// SQLite reported an error.
public let NSSQLiteError = 134180
/// A mapping model could not be inferred.
public let NSInferredMappingModelError = 134190
/// The import of external records failed.
public let NSExternalRecordImportError = 134200
/// A history token has expired: part of the history after it was deleted.
public let NSPersistentHistoryTokenExpiredError = 134301
/// The model that a reference names was not found.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// A staged migration does not fit the version of the framework.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// A staged migration would lead back to an earlier model.
public let NSStagedMigrationBackwardMigrationError = 134506
