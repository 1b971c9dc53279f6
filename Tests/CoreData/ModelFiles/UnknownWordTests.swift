import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples
@testable import ModelDocuments

/// What no Xcode writes into a model is a warning with its line and what was meant; what Xcode writes never is one.
struct UnknownWordTests {
  private func warnings(_ body: String) throws -> [ModelFileError] {
    try ModelDocument(data: Data("<model>\n\(body)\n</model>".utf8), file: "Test").warnings
  }

  private static let attribute = #"attribute name="a" attributeType="String""#

  @Test(arguments: [
    (#"<entity name="E" isAbstrakt="YES"/>"#, "isAbstract"),
    (#"<entity name="E" parent="F"/>"#, "parentEntity"),
    (#"<entity name="E"><\#(attribute) optinal="NO"/></entity>"#, "optional"),
    (#"<entity name="E"><\#(attribute) renamingIdentifier="b"/></entity>"#, "elementID"),
    (#"<entity name="E"><\#(attribute) default="b"/></entity>"#, "defaultValueString"),
    (#"<entity name="E"><\#(attribute) Optional="NO"/></entity>"#, "optional"),
    (
      #"<entity name="E"><relationship name="r" destinationEntity="E" deleteRule="Nullify"/></entity>"#,
      "deletionRule"
    ),
    (#"<entity name="E"><atribute name="a" attributeType="String"/></entity>"#, "attribute"),
    (#"<entity name="E"><property name="a"/></entity>"#, "attribute"),
    (#"<entitty name="E"/>"#, "entity"),
    (
      #"<entity name="E"><\#(attribute)/><uniquenessConstraints><constraint value="a"/></uniquenessConstraints></entity>"#,
      "uniquenessConstraint"
    ),
  ])
  func whatWasMeantIsSaid(_ body: String, _ meant: String) throws {
    let found = try warnings(body)
    let warning = try #require(found.first { $0.problem.contains("passed over") }, "\(found)")
    #expect(warning.line == 2)
    #expect(warning.problem.contains("“\(meant)”"), "\(warning.problem)")
  }

  /// The names of NSFetchRequest's properties are not Xcode's, and say nothing here.
  @Test(
    arguments: [
      ("includesSubentities", "includeSubentities"),
      ("includesPropertyValues", "includePropertyValues"),
      ("returnsObjectsAsFaults", "returnObjectsAsFaults"),
      ("returnsDistinctResults", "returnDistinctResults"),
      ("includePendingChanges", "includesPendingChanges"), ("predicate", "predicateString"),
      ("fetchLimits", "fetchLimit"), ("limit", "fetchLimit"), ("entityName", "entity"),
    ], [false, true])
  func wordsOfTemplatesAreChecked(_ words: (String, String), _ isInProperty: Bool) throws {
    let request = #"<fetchRequest name="f" entity="E" \#(words.0)="1"/>"#
    let property = #"<fetchedProperty name="p">\#(request)</fetchedProperty>"#
    let found = try warnings(
      isInProperty
        ? #"<entity name="E">\#(property)</entity>"# : #"<entity name="E"/>\#(request)"#)
    #expect(found.count == 1)
    let problem = try #require(found.first?.problem)
    #expect(problem.contains("“\(words.0)” is no attribute of “fetchRequest”"), "\(problem)")
    #expect(problem.contains("“\(words.1)”"), "\(problem)")
  }

  /// What a template says is read: no word of the table is passed over in silence.
  @Test func everyWordOfTemplatesIsRead() throws {
    let body = """
      <entity name="E"/><fetchRequest name="f" entity="E" predicateString="1 == 1" fetchLimit="2" \
      fetchBatchSize="3" resultType="1" includeSubentities="NO" includePropertyValues="NO" \
      returnObjectsAsFaults="NO" returnDistinctResults="YES" includesPendingChanges="NO"/>
      """
    let document = try ModelDocument(data: Data("<model>\(body)</model>".utf8), file: "Test")
    #expect(document.warnings.isEmpty)
    let request = try #require(document.fetchRequests.first)
    #expect(request.predicate == "1 == 1" && request.limit == 2 && request.batchSize == 3)
    #expect(request.resultType == 1 && !request.includesSubentities)
    #expect(!request.includesPropertyValues && !request.returnsObjectsAsFaults)
    #expect(request.returnsDistinctResults && !request.includesPendingChanges)
  }

  /// Every word that the table has, at its place.
  @Test func whatNothingIsNearToIsAWarningWithoutAHint() throws {
    let found = try warnings(#"<entity name="E"><\#(Self.attribute) zzzzzzzz="1"/></entity>"#)
    #expect(found.count == 1)
    #expect(found.first?.problem.hasSuffix("passed over") == true)
  }

  @Test(.enabled(if: Corpus.isNamed)) func noModelOfTheCorpusWarnsOfAWord() throws {
    let root = URL(fileURLWithPath: try #require(Corpus.root)).appendingPathComponent("data")
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
      $0.hasSuffix(".xcdatamodel/contents")
    }
    #expect(!names.isEmpty)
    for name in names {
      let file = root.appendingPathComponent(name)
      let found = try ModelDocument(data: Data(contentsOf: file), file: name).warnings.filter {
        $0.problem.contains("passed over")
      }
      #expect(found.isEmpty, "\(found)")
    }
  }

  // MARK: - Types and derivations

  @Test func anUnknownTypeListsTheKnownOnes() {
    let error = #expect(throws: ModelFileError.self) {
      try warnings(#"<entity name="E"><attribute name="a" attributeType="Text"/></entity>"#)
    }
    for type in ModelAttributeType.allCases {
      #expect(error?.problem.contains(type.rawValue) == true)
    }
  }

  @Test(arguments: [
    ("name", true), ("author.name", true), ("canonical:(name)", true), ("now()", true),
    ("pages.@count", true), ("pages.words.@sum", true), ("count:(pages)", true),
    ("sum:(pages.words)", true), ("uppercase:(author.name)", true), ("", false), ("name +", false),
    ("trim:(name)", false), ("pages.@count.x", false), ("name == 1", false), ("now(", false),
    ("canonical:(canonical:(name))", false), ("author..name", false),
  ])
  func aDerivationIsChecked(_ expression: String, _ isRight: Bool) {
    let body = """
      <entity name="E"><attribute name="a" attributeType="String" derived="YES" \
      derivationExpression="\(expression)"/></entity>
      """
    if isRight {
      #expect(throws: Never.self) { try warnings(body) }
    } else {
      let error = #expect(throws: ModelFileError.self, "\(expression)") { try warnings(body) }
      #expect(error?.problem.contains("canonical:(PATH)") == true)
    }
  }

  @Test func cloudEncryptionIsCompiledAndReadAgain() throws {
    let entity = NSEntityDescription()
    entity.name = "E"
    let attribute = NSAttributeDescription()
    attribute.name = "a"
    attribute.attributeType = .stringAttributeType
    attribute.allowsCloudEncryption = true
    entity.properties = [attribute]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let file = try StoreFixture.makeFolder().appendingPathComponent("Model.momd")
    try model.write(to: file)
    let read = try #require(NSManagedObjectModel(contentsOf: file))
    #expect(read.entitiesByName["E"]?.attributesByName["a"]?.allowsCloudEncryption == true)
  }
}
