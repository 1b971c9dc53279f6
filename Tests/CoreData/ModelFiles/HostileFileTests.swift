import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Files of models and mapping models that nobody should have written end in an error, soon.
struct HostileFileTests {
  private func document(_ text: String) throws -> ModelDocument {
    try ModelDocument(data: Data(text.utf8), file: "odd")
  }

  /// Each entity stands for ten of the one before: a thousand million in a kilobyte.
  @Test func entitiesThatMultiplyAreAnError() {
    let names = (0..<10).map { "e\($0)" }
    let entities = zip(names, names.dropFirst()).map { small, large in
      "<!ENTITY \(large) \"" + String(repeating: "&\(small);", count: 10) + "\">"
    }
    let head = "<?xml version=\"1.0\"?><!DOCTYPE model [<!ENTITY e0 \"ha\">\(entities.joined())]>"
    #expect(throws: ModelFileError.self) {
      try document(head + "<model><entity name=\"&e9;\"/></model>")
    }
    #expect(throws: ModelFileError.self) {
      try MappingDocument(
        data: Data((head + "<database><object>&e9;</object></database>").utf8), file: "odd")
    }
  }

  @Test func filesOutsideAreNotRead() throws {
    let secret = try StoreFixture.makeFolder().appendingPathComponent("secret")
    try Data("secret".utf8).write(to: secret)
    let text = """
      <?xml version="1.0"?><!DOCTYPE model [<!ENTITY out SYSTEM "\(secret.absoluteString)">]>
      <model><entity name="A"><userInfo><entry key="a" value="b">&out;</entry></userInfo></entity></model>
      """
    let read = try? document(text)
    #expect(!"\(read as Any)".contains("secret"))
  }

  @Test func deepNestingIsAnError() {
    let text = String(repeating: "<a>", count: 100_000)
    #expect(throws: ModelFileError.self) { try document(text) }
    #expect(throws: ModelFileError.self) {
      try MappingDocument(data: Data(text.utf8), file: "odd")
    }
  }

  @Test(arguments: [
    "", "<database/>", "<model/>", "<database><object type=\"XDDEVMAPPINGMODEL\"/></database>",
    "<database><object id=\"1\" type=\"XDDEVMAPPINGMODEL\">"
      + "<relationship name=\"entitymappings\" idrefs=\"7\"/></object></database>",
    "<database><object id=\"1\" type=\"XDDEVMAPPINGMODEL\">"
      + "<relationship name=\"entitymappings\" idrefs=\"1\"/></object></database>",
    "<database><object id=\"1\" type=\"A\"/><object id=\"1\" type=\"B\"/></database>",
    "<database><object id=\"1\" type=\"XDDEVMAPPINGMODEL\">"
      + "<attribute name=\"sourcemodeldata\">!</attribute></object></database>",
    "<database><object id=\"1\" type=\"XDDEVMAPPINGMODEL\">"
      + "<relationship name=\"entitymappings\" idrefs=\"2\"/></object>"
      + "<object id=\"2\" type=\"XDDEVENTITYMAPPING\"/></database>",
  ])
  func whatIsNoMappingModelIsAnError(text: String) {
    let error = #expect(throws: ModelFileError.self) {
      try MappingDocument(data: Data(text.utf8), file: "odd.xml")
    }
    #expect(error?.file == "odd.xml" && error?.problem.isEmpty == false)
  }

  @Test func mappingModelsWithoutTheirModelsSayWhatToDo() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Alone.xcmappingmodel")
    #expect(throws: ModelFileError.self) { try NSMappingModel(contentsOfMappingModelAt: url) }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let text = MappingDocument(file: "").text
    try Data(text.utf8).write(to: url.appendingPathComponent("xcmapping.xml"))
    let error = #expect(throws: ModelFileError.self) {
      try NSMappingModel(contentsOfMappingModelAt: url)
    }
    #expect(error?.problem.contains("put the model beside it") == true)
    #expect(NSMappingModel(contentsOf: url) == nil)
  }

  // MARK: - Changed bytes

  /// What a reader makes of changed bytes is a value or an error, whatever they are.
  private func check(_ data: Data, _ name: String, rounds: Int, read: (Data) throws -> Void) {
    var random = SplitMix64(seed: 20_240_911)
    var errors = 0
    for round in 0..<rounds {
      var changed = data
      switch Int.random(in: 0..<4, using: &random) {
      case 0: changed = changed.prefix(Int.random(in: 0..<data.count, using: &random))
      case 1:
        let start = Int.random(in: 0..<data.count, using: &random)
        changed.removeSubrange(start..<min(start + 20, data.count))
      default:
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          changed[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
      }
      do { try read(Data(changed)) } catch is ModelFileError { errors += 1 } catch {
        Issue.record("\(name), round \(round): \(error)")
      }
    }
    #expect(errors > 0, "\(name)")
  }

  @Test func changedBytesOfSourcesNeverDoHarm() throws {
    let model = RandomModel.model(seed: 1)
    let text = try DocumentBuilder.document(of: model, file: "random").contents()
    check(Data(text.utf8), "contents", rounds: 60) { data in
      _ = try ModelBuilder.model(of: ModelDocument(data: data, file: "changed"))
    }
  }

  @Test func changedBytesOfMappingModelsNeverDoHarm() throws {
    let mapping = NSEntityMapping()
    mapping.sourceEntityName = "Old"
    mapping.destinationEntityName = "New"
    mapping.sourceExpression = MappingInference.fetch("Old")
    mapping.userInfo = ["a": Set(["b", "c"])]
    let property = NSPropertyMapping()
    property.name = "title"
    property.valueExpression = NSExpression(format: "uppercase:($source.name) + {1, 2}")
    mapping.attributeMappings = [property]
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    check(try model.compiledData(file: "changed"), "cdm", rounds: 400) { data in
      _ = try MappingModelArchive.mappings(data, file: "changed")
    }
  }

  @Test(.enabled(if: Corpus.isNamed, Corpus.reason))
  func changedBytesOfRealFilesNeverDoHarm() throws {
    let old = try Corpus.data(
      "models/mogenerator/MyModel.xcdatamodeld/MyModel.xcdatamodel/elements")
    check(old, "elements", rounds: 60) { data in
      _ = try ModelBuilder.model(of: ModelDocument(data: data, file: "changed"))
    }
    let mapping = try Corpus.data("models/CoreDataPlus/V2toV3.xcmappingmodel/xcmapping.xml")
    let shapes = try ["SampleModel2", "SampleModel3"].map { version in
      let file = "models/CoreDataPlus/SampleModel.xcdatamodeld/\(version).xcdatamodel/contents"
      return ModelShape(of: try ModelDocument(data: Corpus.data(file), file: file))
    }
    // Without the copies of the models, which make up most of the file.
    var document = try MappingDocument(data: mapping, file: "real")
    document.source.copy = nil
    document.destination.copy = nil
    check(Data(document.text.utf8), "xcmapping", rounds: 60) { data in
      let document = try MappingDocument(data: data, file: "changed")
      let mappings = try MappingCompiler(document, source: shapes[0], destination: shapes[1])
        .mappings()
      let archive = try MappingArchiveWriter.data(mappings, file: "changed")
      _ = try MappingModelArchive.mappings(archive, file: "changed")
    }
  }
}
