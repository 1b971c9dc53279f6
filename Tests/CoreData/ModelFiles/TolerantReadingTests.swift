import Foundation
import Testing

@testable import CoreData
@testable import ModelDocuments

/// What Apple's tools let pass, because applications have shipped with it: read, with a warning that
/// names the place.
struct TolerantReadingTests {
  private func document(_ body: String) throws -> ModelDocument {
    try ModelDocument(data: Data("<model>\n\(body)\n</model>".utf8), file: "Test")
  }

  private func entity(_ body: String) -> String { "<entity name=\"E\">\(body)</entity>" }

  /// Texts that some type takes and others do not.
  private static let texts = [
    "NO", "YES", "true", "0", "1", "-3", "0.5", "12.75", "99999", "1e400", "12 apples", "x", "nan",
    "99999999999999999999", "2012-01-01", "https://example.org/a b", "not-a-uuid",
    "00000000-0000-0000-0000-000000000000",
  ]

  /// Every type against every text: nothing is refused, and what does not fit says so once, with line,
  /// entity and property.
  @Test(arguments: ModelAttributeType.allCases.filter { $0 != .composite })
  func anyDefaultIsReadWithAWarningWhereItDoesNotFit(type: ModelAttributeType) throws {
    for text in Self.texts {
      let read = try document(
        entity(
          "<attribute name=\"a\" attributeType=\"\(type.rawValue)\" defaultValueString=\"\(text)\"/>"
        ))
      let value = read.entities[0].properties[0].attribute?.defaultValue
      let fits = type == .string || type == .date || ModelConstant(text: text, type: type) != nil
      #expect(read.warnings.isEmpty == fits, "\(type) “\(text)”: \(read.warnings)")
      for warning in read.warnings {
        #expect(warning.line == 2 && warning.entity == "E" && warning.property == "a")
        #expect(warning.warning.hasPrefix("Test:2:1: warning: entity “E”, property “a”:"))
        #expect(warning.problem.contains(text) && warning.problem.contains(type.rawValue))
      }
      let model = try ModelBuilder.model(of: read)
      let attribute = try #require(model.entitiesByName["E"]?.attributesByName["a"])
      #expect(ModelValue.areEqual(attribute.defaultValue, value?.value))
      #expect((attribute.defaultValue as? NSNumber)?.doubleValue.isNaN != true || text == "nan")
    }
  }

  @Test(arguments: [
    (ModelAttributeType.integer16, "NO", 0), (.integer32, "YES", 0), (.integer64, "0.5", 0),
    (.integer16, "99999", 32767), (.integer64, "12 apples", 12), (.integer32, "-3x", -3),
    (.double, "NO", 0), (.float, "x", 0), (.decimal, "NO", 0), (.boolean, "2", 1),
    (.boolean, "x", 0), (.boolean, "y", 1),
  ])
  func numbersThatAreNoneAreWhatTheyBeginWith(
    type: ModelAttributeType, text: String, expected: Int
  ) throws {
    let read = try document(
      entity(
        "<attribute name=\"a\" attributeType=\"\(type.rawValue)\" defaultValueString=\"\(text)\"/>")
    )
    let value = read.entities[0].properties[0].attribute?.defaultValue
    #expect((value?.value as? NSNumber)?.intValue == expected)
    #expect(read.warnings.count == 1)
  }

  @Test(arguments: [
    (
      "<attribute name=\"a\" attributeType=\"UUID\" defaultValueString=\"none\"/>",
      "there is no default"
    ),
    (
      "<attribute name=\"a\" attributeType=\"Date\" defaultDateTimeInterval=\"now\"/>", "not a date"
    ),
    ("<attribute name=\"a\" attributeType=\"Date\" maxDateTimeInterval=\"now\"/>", "not a date"),
    ("<attribute name=\"a\" attributeType=\"Integer 16\" minValueString=\"x\"/>", "limits nothing"),
    ("<attribute name=\"a\" attributeType=\"String\" maxValueString=\"x\"/>", "limits nothing"),
    ("<relationship name=\"r\" destinationEntity=\"E\" maxCount=\"x\"/>", "not a count"),
    ("<relationship name=\"r\" destinationEntity=\"E\" deletionRule=\"Maybe\"/>", "No Action"),
    ("<relationship name=\"r\" destinationEntity=\"E\" inverseName=\"s\"/>", "no relationship “s”"),
    (
      "<relationship name=\"r\" destinationEntity=\"E\" inverseName=\"s\"/><relationship name=\"s\" destinationEntity=\"E\" inverseName=\"s\"/>",
      "another inverse: “s”"
    ),
    (
      "<fetchIndex name=\"i\"><fetchIndexElement property=\"x\"/></fetchIndex>",
      "“x”, which is not a property; it is left out"
    ),
    (
      "<compoundIndexes><compoundIndex><index value=\"x\"/></compoundIndex></compoundIndexes>",
      "“x”, which is not a property; it is left out"
    ),
    (
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"x\"/></uniquenessConstraint></uniquenessConstraints>",
      "“x”, which is not a property; it is left out"
    ),
  ])
  func whatNamesNothingIsLeftOutWithAWarning(body: String, expected: String) throws {
    let read = try document(entity(body))
    #expect(
      read.warnings.count == 1 && read.warnings[0].problem.contains(expected), "\(read.warnings)")
    let model = try ModelBuilder.model(of: read)
    #expect(model.entityVersionHashesByName == read.versionHashes())
  }

  @Test func aConfigurationWithoutAnEntityLeavesItOut() throws {
    let read = try document(
      entity("")
        + "<configuration name=\"c\"><memberEntity name=\"E\"/><memberEntity name=\"F\"/></configuration>"
    )
    #expect(
      read.warnings.map(\.problem) == ["configuration “c” has no such entity: “F”; it is left out"])
    let model = try ModelBuilder.model(of: read)
    #expect(model.entities(forConfigurationName: "c")?.map(\.name) == ["E"])
  }

  /// As in a shipped model: the hash takes the inverse as it is written.
  @Test func anInverseThatIsNotMutualCountsInTheHashAsWritten() throws {
    func hash(_ inverse: String) throws -> Data? {
      let read = try document(
        """
        <entity name="Image"><relationship name="artist" maxCount="1" destinationEntity="Artist" inverseName="\(inverse)"/></entity>
        <entity name="Artist">
          <relationship name="thumbnail" maxCount="1" destinationEntity="Image" inverseName="thumbnailOf"/>
          <relationship name="portrait" maxCount="1" destinationEntity="Image" inverseName="artist"/>
        </entity>
        """)
      return try ModelBuilder.model(of: read).entitiesByName["Image"]?.versionHash
    }
    #expect(try hash("thumbnail") != hash("portrait"))
    #expect(try hash("thumbnail") != nil)
  }
}
