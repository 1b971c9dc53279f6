/// Core Data's codes under the names that Swift gives them.
extension CocoaError.Code {
  /// Code 1550.
  public static var managedObjectValidation: CocoaError.Code {
    .init(rawValue: NSManagedObjectValidationError)
  }
  /// Code 1560.
  public static var validationMultipleErrors: CocoaError.Code {
    .init(rawValue: NSValidationMultipleErrorsError)
  }
  /// Code 1570.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .init(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  /// Code 1580.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipLacksMinimumCountError)
  }
  /// Code 1590.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipExceedsMaximumCountError)
  }
  /// Code 1600.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipDeniedDeleteError)
  }
  /// Code 1610.
  public static var validationNumberTooLarge: CocoaError.Code {
    .init(rawValue: NSValidationNumberTooLargeError)
  }
  /// Code 1620.
  public static var validationNumberTooSmall: CocoaError.Code {
    .init(rawValue: NSValidationNumberTooSmallError)
  }
  /// Code 1630.
  public static var validationDateTooLate: CocoaError.Code {
    .init(rawValue: NSValidationDateTooLateError)
  }
  /// Code 1640.
  public static var validationDateTooSoon: CocoaError.Code {
    .init(rawValue: NSValidationDateTooSoonError)
  }
  /// Code 1650.
  public static var validationInvalidDate: CocoaError.Code {
    .init(rawValue: NSValidationInvalidDateError)
  }
  /// Code 1660.
  public static var validationStringTooLong: CocoaError.Code {
    .init(rawValue: NSValidationStringTooLongError)
  }
  /// Code 1670.
  public static var validationStringTooShort: CocoaError.Code {
    .init(rawValue: NSValidationStringTooShortError)
  }
  /// Code 1680.
  public static var validationStringPatternMatching: CocoaError.Code {
    .init(rawValue: NSValidationStringPatternMatchingError)
  }
  /// Code 132000.
  public static var managedObjectContextLocking: CocoaError.Code {
    .init(rawValue: NSManagedObjectContextLockingError)
  }
  /// Code 132010.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    .init(rawValue: NSPersistentStoreCoordinatorLockingError)
  }
  /// Code 133000.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .init(rawValue: NSManagedObjectReferentialIntegrityError)
  }
  /// Code 133010.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    .init(rawValue: NSManagedObjectExternalRelationshipError)
  }
  /// Code 133020.
  public static var managedObjectMerge: CocoaError.Code {
    .init(rawValue: NSManagedObjectMergeError)
  }
  /// Code 133021.
  public static var managedObjectConstraintMerge: CocoaError.Code {
    .init(rawValue: NSManagedObjectConstraintMergeError)
  }
  /// Code 134000.
  public static var persistentStoreInvalidType: CocoaError.Code {
    .init(rawValue: NSPersistentStoreInvalidTypeError)
  }
  /// Code 134010.
  public static var persistentStoreTypeMismatch: CocoaError.Code {
    .init(rawValue: NSPersistentStoreTypeMismatchError)
  }
  /// Code 134020.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompatibleSchemaError)
  }
  /// Code 134030.
  public static var persistentStoreSave: CocoaError.Code {
    .init(rawValue: NSPersistentStoreSaveError)
  }
  /// Code 134040.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompleteSaveError)
  }
  /// Code 134050.
  public static var persistentStoreSaveConflicts: CocoaError.Code {
    .init(rawValue: NSPersistentStoreSaveConflictsError)
  }
  /// Code 134060.
  public static var coreData: CocoaError.Code { .init(rawValue: NSCoreDataError) }
  /// Code 134070.
  public static var persistentStoreOperation: CocoaError.Code {
    .init(rawValue: NSPersistentStoreOperationError)
  }
  /// Code 134080.
  public static var persistentStoreOpen: CocoaError.Code {
    .init(rawValue: NSPersistentStoreOpenError)
  }
  /// Code 134090.
  public static var persistentStoreTimeout: CocoaError.Code {
    .init(rawValue: NSPersistentStoreTimeoutError)
  }
  /// Code 134091.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    .init(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  }
  /// Code 134100.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }
  /// Code 134110.
  public static var migration: CocoaError.Code { .init(rawValue: NSMigrationError) }
  /// Code 134120.
  public static var migrationCancelled: CocoaError.Code {
    .init(rawValue: NSMigrationCancelledError)
  }
  /// Code 134130.
  public static var migrationMissingSourceModel: CocoaError.Code {
    .init(rawValue: NSMigrationMissingSourceModelError)
  }
  /// Code 134140.
  public static var migrationMissingMappingModel: CocoaError.Code {
    .init(rawValue: NSMigrationMissingMappingModelError)
  }
  /// Code 134150.
  public static var migrationManagerSourceStore: CocoaError.Code {
    .init(rawValue: NSMigrationManagerSourceStoreError)
  }
  /// Code 134160.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    .init(rawValue: NSMigrationManagerDestinationStoreError)
  }
  /// Code 134170.
  public static var entityMigrationPolicy: CocoaError.Code {
    .init(rawValue: NSEntityMigrationPolicyError)
  }
  /// Code 134180.
  public static var sqlite: CocoaError.Code { .init(rawValue: NSSQLiteError) }
  /// Code 134190.
  public static var inferredMappingModel: CocoaError.Code {
    .init(rawValue: NSInferredMappingModelError)
  }
  /// Code 134200.
  public static var externalRecordImport: CocoaError.Code {
    .init(rawValue: NSExternalRecordImportError)
  }
}

extension CocoaError {
  /// Code 1550.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// Code 1560.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// Code 1570.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .validationMissingMandatoryProperty
  }
  /// Code 1580.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// Code 1590.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// Code 1600.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .validationRelationshipDeniedDelete
  }
  /// Code 1610.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// Code 1620.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// Code 1630.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// Code 1640.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// Code 1650.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// Code 1660.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// Code 1670.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// Code 1680.
  public static var validationStringPatternMatching: CocoaError.Code {
    .validationStringPatternMatching
  }
  /// Code 132000.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// Code 132010.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    .persistentStoreCoordinatorLocking
  }
  /// Code 133000.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .managedObjectReferentialIntegrity
  }
  /// Code 133010.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    .managedObjectExternalRelationship
  }
  /// Code 133020.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// Code 133021.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
  /// Code 134000.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// Code 134010.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// Code 134020.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    .persistentStoreIncompatibleSchema
  }
  /// Code 134030.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// Code 134040.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    .persistentStoreIncompleteSave
  }
  /// Code 134050.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// Code 134060.
  public static var coreData: CocoaError.Code { .coreData }
  /// Code 134070.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// Code 134080.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// Code 134090.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// Code 134091.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// Code 134100.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// Code 134110.
  public static var migration: CocoaError.Code { .migration }
  /// Code 134120.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// Code 134130.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// Code 134140.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// Code 134150.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// Code 134160.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    .migrationManagerDestinationStore
  }
  /// Code 134170.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// Code 134180.
  public static var sqlite: CocoaError.Code { .sqlite }
  /// Code 134190.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// Code 134200.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
