/// Core Data's error codes under their Swift names.
extension CocoaError.Code {
  /// Error 1550: a value is invalid, for a reason without a code of its own.
  public static var managedObjectValidation: CocoaError.Code {
    .init(rawValue: NSManagedObjectValidationError)
  }
  /// Error 1560: several validation errors, which are under `NSDetailedErrorsKey`.
  public static var validationMultipleErrors: CocoaError.Code {
    .init(rawValue: NSValidationMultipleErrorsError)
  }
  /// Error 1570: a mandatory property has no value.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .init(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  /// Error 1580: a to-many relationship has too few members.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipLacksMinimumCountError)
  }
  /// Error 1590: a to-many relationship has too many members.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipExceedsMaximumCountError)
  }
  /// Error 1600: a relationship with the delete rule Deny is not empty.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipDeniedDeleteError)
  }
  /// Error 1610: a number is too large.
  public static var validationNumberTooLarge: CocoaError.Code {
    .init(rawValue: NSValidationNumberTooLargeError)
  }
  /// Error 1620: a number is too small.
  public static var validationNumberTooSmall: CocoaError.Code {
    .init(rawValue: NSValidationNumberTooSmallError)
  }
  /// Error 1630: a date is too late.
  public static var validationDateTooLate: CocoaError.Code {
    .init(rawValue: NSValidationDateTooLateError)
  }
  /// Error 1640: a date is too early.
  public static var validationDateTooSoon: CocoaError.Code {
    .init(rawValue: NSValidationDateTooSoonError)
  }
  /// Error 1650: a date is invalid.
  public static var validationInvalidDate: CocoaError.Code {
    .init(rawValue: NSValidationInvalidDateError)
  }
  /// Error 1660: a string is too long.
  public static var validationStringTooLong: CocoaError.Code {
    .init(rawValue: NSValidationStringTooLongError)
  }
  /// Error 1670: a string is too short.
  public static var validationStringTooShort: CocoaError.Code {
    .init(rawValue: NSValidationStringTooShortError)
  }
  /// Error 1680: a string does not match the attribute's pattern.
  public static var validationStringPatternMatching: CocoaError.Code {
    .init(rawValue: NSValidationStringPatternMatchingError)
  }
  /// Error 132000: the lock of a context could not be acquired.
  public static var managedObjectContextLocking: CocoaError.Code {
    .init(rawValue: NSManagedObjectContextLockingError)
  }
  /// Error 132010: the lock of a coordinator could not be acquired.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    .init(rawValue: NSPersistentStoreCoordinatorLockingError)
  }
  /// Error 133000: an object does not exist in its store.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .init(rawValue: NSManagedObjectReferentialIntegrityError)
  }
  /// Error 133010: an object to save refers to an object in another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    .init(rawValue: NSManagedObjectExternalRelationshipError)
  }
  /// Error 133020: the merge policy could not resolve a conflict.
  public static var managedObjectMerge: CocoaError.Code {
    .init(rawValue: NSManagedObjectMergeError)
  }
  /// Error 133021: the merge policy could not resolve a violation of uniqueness constraints.
  public static var managedObjectConstraintMerge: CocoaError.Code {
    .init(rawValue: NSManagedObjectConstraintMergeError)
  }
  /// Error 134000: the type, format or version of a store is unknown.
  public static var persistentStoreInvalidType: CocoaError.Code {
    .init(rawValue: NSPersistentStoreInvalidTypeError)
  }
  /// Error 134010: a store is of another type than the one that was requested.
  public static var persistentStoreTypeMismatch: CocoaError.Code {
    .init(rawValue: NSPersistentStoreTypeMismatchError)
  }
  /// Error 134020: the schema of a store is incompatible with the model.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompatibleSchemaError)
  }
  /// Error 134030: a save failed, for a reason without a code of its own.
  public static var persistentStoreSave: CocoaError.Code {
    .init(rawValue: NSPersistentStoreSaveError)
  }
  /// Error 134040: a save failed in one of several stores, after others were written.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompleteSaveError)
  }
  /// Error 134050: a save has conflicts, which are under `NSPersistentStoreSaveConflictsErrorKey`.
  public static var persistentStoreSaveConflicts: CocoaError.Code {
    .init(rawValue: NSPersistentStoreSaveConflictsError)
  }
  /// Error 134060: an error of Core Data without a code of its own.
  public static var coreData: CocoaError.Code { .init(rawValue: NSCoreDataError) }
  /// Error 134070: an operation of a store failed.
  public static var persistentStoreOperation: CocoaError.Code {
    .init(rawValue: NSPersistentStoreOperationError)
  }
  /// Error 134080: a store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code {
    .init(rawValue: NSPersistentStoreOpenError)
  }
  /// Error 134090: a store could not be reached within the timeout.
  public static var persistentStoreTimeout: CocoaError.Code {
    .init(rawValue: NSPersistentStoreTimeoutError)
  }
  /// Error 134091: a store does not support this type of request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    .init(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  }
  /// Error 134100: the version hashes of a store differ from the model's.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }
  /// Error 134110: a migration failed, for a reason without a code of its own.
  public static var migration: CocoaError.Code { .init(rawValue: NSMigrationError) }
  /// Error 134120: a migration was cancelled.
  public static var migrationCancelled: CocoaError.Code {
    .init(rawValue: NSMigrationCancelledError)
  }
  /// Error 134130: the source model of a migration was not found.
  public static var migrationMissingSourceModel: CocoaError.Code {
    .init(rawValue: NSMigrationMissingSourceModelError)
  }
  /// Error 134140: the mapping model of a migration was not found.
  public static var migrationMissingMappingModel: CocoaError.Code {
    .init(rawValue: NSMigrationMissingMappingModelError)
  }
  /// Error 134150: the source store of a migration has a problem.
  public static var migrationManagerSourceStore: CocoaError.Code {
    .init(rawValue: NSMigrationManagerSourceStoreError)
  }
  /// Error 134160: the destination store of a migration has a problem.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    .init(rawValue: NSMigrationManagerDestinationStoreError)
  }
  /// Error 134170: an entity migration policy failed.
  public static var entityMigrationPolicy: CocoaError.Code {
    .init(rawValue: NSEntityMigrationPolicyError)
  }
  /// Error 134180: SQLite reported an error.
  public static var sqlite: CocoaError.Code { .init(rawValue: NSSQLiteError) }
  /// Error 134190: a mapping model could not be inferred.
  public static var inferredMappingModel: CocoaError.Code {
    .init(rawValue: NSInferredMappingModelError)
  }
  /// Error 134200: the import of external records failed.
  public static var externalRecordImport: CocoaError.Code {
    .init(rawValue: NSExternalRecordImportError)
  }
}

extension CocoaError {
  /// Error 1550: a value is invalid, for a reason without a code of its own.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// Error 1560: several validation errors, which are under `NSDetailedErrorsKey`.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// Error 1570: a mandatory property has no value.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .validationMissingMandatoryProperty
  }
  /// Error 1580: a to-many relationship has too few members.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// Error 1590: a to-many relationship has too many members.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// Error 1600: a relationship with the delete rule Deny is not empty.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .validationRelationshipDeniedDelete
  }
  /// Error 1610: a number is too large.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// Error 1620: a number is too small.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// Error 1630: a date is too late.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// Error 1640: a date is too early.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// Error 1650: a date is invalid.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// Error 1660: a string is too long.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// Error 1670: a string is too short.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// Error 1680: a string does not match the attribute's pattern.
  public static var validationStringPatternMatching: CocoaError.Code {
    .validationStringPatternMatching
  }
  /// Error 132000: the lock of a context could not be acquired.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// Error 132010: the lock of a coordinator could not be acquired.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    .persistentStoreCoordinatorLocking
  }
  /// Error 133000: an object does not exist in its store.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .managedObjectReferentialIntegrity
  }
  /// Error 133010: an object to save refers to an object in another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    .managedObjectExternalRelationship
  }
  /// Error 133020: the merge policy could not resolve a conflict.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// Error 133021: the merge policy could not resolve a violation of uniqueness constraints.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
  /// Error 134000: the type, format or version of a store is unknown.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// Error 134010: a store is of another type than the one that was requested.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// Error 134020: the schema of a store is incompatible with the model.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    .persistentStoreIncompatibleSchema
  }
  /// Error 134030: a save failed, for a reason without a code of its own.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// Error 134040: a save failed in one of several stores, after others were written.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    .persistentStoreIncompleteSave
  }
  /// Error 134050: a save has conflicts, which are under `NSPersistentStoreSaveConflictsErrorKey`.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// Error 134060: an error of Core Data without a code of its own.
  public static var coreData: CocoaError.Code { .coreData }
  /// Error 134070: an operation of a store failed.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// Error 134080: a store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// Error 134090: a store could not be reached within the timeout.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// Error 134091: a store does not support this type of request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// Error 134100: the version hashes of a store differ from the model's.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// Error 134110: a migration failed, for a reason without a code of its own.
  public static var migration: CocoaError.Code { .migration }
  /// Error 134120: a migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// Error 134130: the source model of a migration was not found.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// Error 134140: the mapping model of a migration was not found.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// Error 134150: the source store of a migration has a problem.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// Error 134160: the destination store of a migration has a problem.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    .migrationManagerDestinationStore
  }
  /// Error 134170: an entity migration policy failed.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// Error 134180: SQLite reported an error.
  public static var sqlite: CocoaError.Code { .sqlite }
  /// Error 134190: a mapping model could not be inferred.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// Error 134200: the import of external records failed.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
