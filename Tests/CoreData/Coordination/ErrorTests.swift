import Foundation
import Testing

@testable import CoreData

/// Codes, texts and user info of errors.
@Suite struct ErrorTests {
  @Test func anErrorIsACocoaErrorWithCodeAndText() throws {
    let thrown = CoreDataError.make(.persistentStoreTimeout, reason: "expected a, found b")
    let error = try #require(thrown as any Error as? CocoaError)
    #expect(error.code == .persistentStoreTimeout)
    #expect(error.code.rawValue == NSPersistentStoreTimeoutError)
    #expect(
      error.localizedDescription
        == "A timeout error occurred while connecting to the persistent store.")
    #expect(thrown.userInfo["reason"] as? String == "expected a, found b")
  }

  @Test func aValidationErrorNamesPropertyAndObject() throws {
    let object = NSObject()
    let thrown = CoreDataError.validation(
      .validationMissingMandatoryProperty, object: object, key: "title")
    #expect(thrown.localizedDescription == "title is a required value.")
    #expect(thrown.code == 1570)
    let error = try #require(thrown as any Error as? CocoaError)
    #expect(error.validationKey == "title")
    #expect(error.validationObject as AnyObject === object)
    #expect(error.validationValue == nil)
  }

  @Test func theDevelopersTextTakesThePlaceOfTheStandardOne() {
    let error = CoreDataError.validation(
      .managedObjectValidation, object: nil, key: "age", value: -1,
      predicate: NSPredicate(value: true), text: "Nobody is that young")
    #expect(error.localizedDescription == "Nobody is that young")
    #expect(error.userInfo[NSValidationValueErrorKey] as? Int == -1)
  }

  @Test func severalErrorsBecomeOneAndOneStaysItself() throws {
    let errors = ["a", "b", "c"].map {
      CoreDataError.validation(.validationNumberTooLarge, object: nil, key: $0)
    }
    #expect(CoreDataError.combined([errors[0]]) as NSError === errors[0])
    let two = CoreDataError.combined([errors[0], errors[1]])
    let three = CoreDataError.combined([two, errors[2]]) as NSError
    #expect(three.code == NSValidationMultipleErrorsError)
    #expect(three.localizedDescription == "Multiple validation errors occurred.")
    let details = try #require(three.userInfo[NSDetailedErrorsKey] as? [NSError])
    #expect(details == errors)
  }

  @Test func whatSQLiteSaidStandsBelow() throws {
    let error = CoreDataError.sqlite(
      resultCode: 26, message: "file is not a database", url: URL(fileURLWithPath: "/tmp/x"))
    #expect(error.code == NSSQLiteError)
    #expect(error.userInfo[NSSQLiteErrorDomain] as? Int == 26)
    let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.domain == "NSSQLiteErrorDomain")
    #expect(underlying.code == 26)
  }

  @Test(arguments: [
    (1550, "title is not valid."), (1551, "One or more constraints were violated."),
    (1560, "Multiple validation errors occurred."), (1570, "title is a required value."),
    (1580, "Too few items in title."), (1590, "Too many items in title."),
    (1600, "Items cannot be deleted from title."), (1610, "title is too large."),
    (1620, "title is too small."), (1630, "title is too late."), (1640, "title is too soon."),
    (1650, "title is invalid."), (1660, "title is too long."), (1670, "title is too short."),
    (1680, "title is invalid."),
    (132000, "Could not acquire a lock in a managed object context."),
    (132010, "Could not acquire a lock in a managed persistent store coordinator."),
    (133000, "Attempt to access an object not found in store."),
    (133010, "Cannot save objects with references outside of their own stores."),
    (133020, "Could not merge changes."),
    (134000, "Failed to save. Unknown store type, format, or version."),
    (134010, "The store type is inconsistent with the data format."),
    (134030, "An error occurred while saving."), (134040, "Save operation could not be completed."),
    (134060, "A Core Data error occurred."),
    (134070, "An error occurred in the persistent store."),
    (134080, "An error occurred while opening the persistent store."),
    (134090, "A timeout error occurred while connecting to the persistent store."),
    (134110, "An error occurred during persistent store migration."),
    (134120, "Persistent store migration was cancelled before completion."),
    (134130, "Persistent store migration failed, missing source managed object model."),
    (134140, "Persistent store migration failed, missing mapping model."),
    (134180, "An SQLite error occurred."),
  ])
  func codesHaveApplesTexts(_ code: Int, _ text: String) {
    let error = CoreDataError.validation(
      CocoaError.Code(rawValue: code), object: NSObject(), key: "title")
    #expect(error.domain == NSCocoaErrorDomain && error.code == code)
    #expect(error.localizedDescription == text)
  }

  @Test func codesOfConflictsAreApples() {
    #expect(NSManagedObjectConstraintMergeError == 133021)
    #expect(NSManagedObjectConstraintValidationError == 1551)
    #expect(NSPersistentStoreSaveConflictsError == 134050)
  }
}
