import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What a form cannot hold is an error that names it, and what was there stays.
struct UnwritableModelTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let words: String
    /// The extensions of the forms that cannot hold it.
    let forms: [ModelForm]
    let edit: @Sendable (NSEntityDescription, NSManagedObjectModel) -> Void

    var testDescription: String { words }
  }

  private static let sources: [ModelForm] = [.source, .versionedSource]
  private static let compiled: [ModelForm] = [.compiled, .versionedCompiled]

  static let cases: [Case] = [
    Case(words: "version identifier", forms: sources) { _, model in
      model.versionIdentifiers = ["1", "2"]
    },
    Case(words: "version identifier", forms: sources) { _, model in
      model.versionIdentifiers = [7]
    },
    Case(words: "the user info", forms: sources) { entity, _ in entity.userInfo = ["a": 1] },
    Case(words: "the user info", forms: sources) { entity, _ in
      entity.propertiesByName["title"]?.userInfo = ["a": [1, 2]]
    },
    Case(words: "the default value", forms: sources) { entity, _ in
      entity.attributesByName["data"]?.defaultValue = Data([1])
    },
    Case(words: "the default value", forms: sources) { entity, _ in
      entity.attributesByName["title"]?.defaultValue = 7
    },
    Case(words: "the validation", forms: sources) { entity, _ in
      entity.attributesByName["title"]?.setValidationPredicates(
        [NSPredicate(format: "SELF != \"x\"")], withValidationWarnings: ["no"])
    },
    Case(words: "the validation warnings", forms: sources) { entity, _ in
      entity.attributesByName["title"]?.setValidationPredicates(
        [NSPredicate(format: "length >= 3")], withValidationWarnings: ["too short"])
    },
    Case(words: "the fetch request", forms: sources) { _, model in
      let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      model.setFetchRequestTemplate(request, forName: "sorted")
    },
    Case(words: "the counts", forms: sources) { entity, _ in
      entity.relationshipsByName["other"]?.maxCount = -1
    },
    Case(words: "what Spotlight shows", forms: ModelForm.allCases) { entity, _ in
      entity.coreSpotlightDisplayNameExpression = NSExpression(format: "title")
    },
    Case(words: "the expression", forms: sources) { entity, _ in
      let computed = NSExpressionDescription()
      computed.name = "computed"
      computed.expression = NSExpression(format: "title")
      entity.properties += [computed]
    },
    Case(words: "not be readable", forms: sources) { entity, _ in
      entity.userInfo = ["a": "\u{1}"]
    },
    Case(words: "name", forms: ModelForm.allCases) { entity, _ in entity.name = nil },
  ]

  private func model() -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Note"
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let data = NSAttributeDescription()
    data.name = "data"
    data.attributeType = .binaryDataAttributeType
    let other = NSRelationshipDescription()
    other.name = "other"
    other.destinationEntity = entity
    entity.properties = [title, data, other]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  @Test(arguments: cases) func whatAFormCannotHoldIsNamed(_ unwritable: Case) throws {
    let folder = try StoreFixture.makeFolder()
    for form in ModelForm.allCases {
      let model = model()
      let url = try form.write(model, in: folder)
      let before = try ModelForm.bytes(at: url)
      unwritable.edit(model.entities[0], model)
      guard unwritable.forms.contains(form) else {
        let read = try form.roundTrip(model, in: folder)
        let lost = ModelFacts(of: model).firstDifference(from: ModelFacts(of: read))
        #expect(lost == nil, "\(form)")
        continue
      }
      let error = #expect(throws: ModelFileError.self) { try model.write(to: url) }
      #expect(error?.problem.contains(unwritable.words) == true, "\(form): \(error as Any)")
      #expect(try ModelForm.bytes(at: url) == before)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.sorted() == ModelForm.allCases.map { "Written.\($0.rawValue)" }.sorted())
  }

  @Test func anIndexOfOnePropertyGetsAnotherOneInXML() throws {
    let model = model()
    let title = NSFetchIndexElementDescription(propertyName: "title", collationType: .binary)
    model.entities[0].indexes = [NSFetchIndexDescription(name: "byTitle", elements: [title])]
    let read = try ModelForm.source.roundTrip(model, in: StoreFixture.makeFolder())
    #expect(read.entities[0].indexes.map(\.name) == ["title", "byTitle"])
  }

  @Test func otherExtensionsAndMissingVersionsAreErrors() throws {
    let folder = try StoreFixture.makeFolder()
    let wrong = #expect(throws: ModelFileError.self) {
      try model().write(to: folder.appendingPathComponent("Model.json"))
    }
    #expect(wrong?.problem.contains("xcdatamodeld") == true)
    let missing = #expect(throws: ModelFileError.self) {
      try NSManagedObjectModel.write(
        ["V1": model()], currentVersion: "V2", to: folder.appendingPathComponent("Model.momd"))
    }
    #expect(missing?.problem.contains("V2") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func aFolderThatCannotBeWrittenSaysSo() throws {
    let file = try StoreFixture.makeFolder().appendingPathComponent("file")
    try Data().write(to: file)
    let error = #expect(throws: ModelFileError.self) {
      try model().write(to: file.appendingPathComponent("Model.mom"))
    }
    #expect(error?.problem.contains("cannot be written") == true)
  }
}
