/// The English description of each error code, as on Apple's systems.
enum ErrorTexts {
  /// The placeholder for the name of the property.
  private static let placeholder = "%{PROPERTY}@"

  static func text(of code: Int, property: String?) -> String {
    let text = texts[code] ?? "A Core Data error occurred."
    return text.replacing(placeholder, with: property ?? "The value")
  }

  private static let migrationFailed = "Persistent store migration failed"

  private static let texts: [Int: String] = [
    NSManagedObjectValidationError: "\(placeholder) is not valid.",
    NSManagedObjectConstraintValidationError: "One or more constraints were violated.",
    NSValidationMultipleErrorsError: "Multiple validation errors occurred.",
    NSValidationMissingMandatoryPropertyError: "\(placeholder) is a required value.",
    NSValidationRelationshipLacksMinimumCountError: "Too few items in \(placeholder).",
    NSValidationRelationshipExceedsMaximumCountError: "Too many items in \(placeholder).",
    NSValidationRelationshipDeniedDeleteError: "Items cannot be deleted from \(placeholder).",
    NSValidationNumberTooLargeError: "\(placeholder) is too large.",
    NSValidationNumberTooSmallError: "\(placeholder) is too small.",
    NSValidationDateTooLateError: "\(placeholder) is too late.",
    NSValidationDateTooSoonError: "\(placeholder) is too soon.",
    NSValidationInvalidDateError: "\(placeholder) is invalid.",
    NSValidationStringTooLongError: "\(placeholder) is too long.",
    NSValidationStringTooShortError: "\(placeholder) is too short.",
    NSValidationStringPatternMatchingError: "\(placeholder) is invalid.",
    NSValidationInvalidURIError: "\(placeholder) is invalid.",
    CocoaError.Code.fileWriteOutOfSpace.rawValue: "There is not enough space on the disk.",
    CocoaError.Code.fileWriteNoPermission.rawValue: "The file cannot be written.",
    CocoaError.Code.fileReadNoPermission.rawValue: "The file cannot be read.",
    NSManagedObjectContextLockingError: "Could not acquire a lock in a managed object context.",
    NSPersistentStoreCoordinatorLockingError:
      "Could not acquire a lock in a managed persistent store coordinator.",
    NSManagedObjectReferentialIntegrityError: "Attempt to access an object not found in store.",
    NSManagedObjectExternalRelationshipError:
      "Cannot save objects with references outside of their own stores.",
    NSManagedObjectMergeError: "Could not merge changes.",
    NSManagedObjectConstraintMergeError: "Could not merge changes because of constraints.",
    NSPersistentStoreInvalidTypeError:
      "Failed to save. Unknown store type, format, or version.",
    NSPersistentStoreTypeMismatchError: "The store type is inconsistent with the data format.",
    NSPersistentStoreIncompatibleSchemaError: """
    The model configuration used to open the store is incompatible with the one that was used \
    to create the store.
    """,
    NSPersistentStoreSaveError: "An error occurred while saving.",
    NSPersistentStoreIncompleteSaveError: "Save operation could not be completed.",
    NSPersistentStoreSaveConflictsError: "Save conflicts could not be resolved.",
    NSCoreDataError: "A Core Data error occurred.",
    NSPersistentStoreOperationError: "An error occurred in the persistent store.",
    NSPersistentStoreOpenError: "An error occurred while opening the persistent store.",
    NSPersistentStoreTimeoutError:
      "A timeout error occurred while connecting to the persistent store.",
    NSPersistentStoreUnsupportedRequestTypeError:
      "The persistent store does not support this type of request.",
    NSPersistentStoreIncompatibleVersionHashError: """
    The managed object model version used to open the persistent store is incompatible with \
    the one that was used to create the persistent store.
    """,
    NSMigrationError: "An error occurred during persistent store migration.",
    NSMigrationConstraintViolationError: "\(migrationFailed), a constraint was violated.",
    NSMigrationCancelledError: "Persistent store migration was cancelled before completion.",
    NSMigrationMissingSourceModelError:
      "\(migrationFailed), missing source managed object model.",
    NSMigrationMissingMappingModelError: "\(migrationFailed), missing mapping model.",
    NSMigrationManagerSourceStoreError:
      "\(migrationFailed), there was a problem with the source persistent store.",
    NSMigrationManagerDestinationStoreError:
      "\(migrationFailed), there was a problem with the destination persistent store.",
    NSEntityMigrationPolicyError:
      "\(migrationFailed) while processing entity migration policy.",
    NSSQLiteError: "An SQLite error occurred.",
    NSInferredMappingModelError: "The mapping model could not be inferred.",
    NSExternalRecordImportError: "An error occurred while importing external records.",
    NSPersistentHistoryTokenExpiredError: "The persistent history token has expired.",
    NSManagedObjectModelReferenceNotFoundError: "The managed object model was not found.",
    NSStagedMigrationFrameworkVersionMismatchError:
      "The framework version does not fit the staged migration.",
    NSStagedMigrationBackwardMigrationError:
      "A staged migration cannot go back to an earlier model.",
  ]
}
