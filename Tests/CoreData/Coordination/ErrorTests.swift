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
}
