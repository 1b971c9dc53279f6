import Foundation
import ModelDocuments
import Testing

@testable import ModelCompiler

/// The file that says how a target's classes look, and where classes stand.
struct CodeOptionsTests {
  private func options(_ text: String) throws -> CodeOptions {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("ManagedObjects-\(UUID().uuidString).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try CodeOptions(contentsOf: file)
  }

  @Test func theFileNamesWhatDiffers() throws {
    #expect(try options("{}") == CodeOptions())
    #expect(
      try options(#"{"flavour": "idiomatic", "access": "internal", "namespace": "Model"}"#)
        == CodeOptions(flavour: .idiomatic, access: .internal, namespace: "Model"))
  }

  @Test(arguments: [
    ("", "this is not JSON"), ("[]", "expected an object of texts"),
    (#"{"flavour": 1}"#, "expected an object of texts"),
    (#"{"flavour": "typed"}"#, "“typed” is unknown; expected one of: xcode, standard, idiomatic"),
    (#"{"access": "open"}"#, "expected one of: public, internal"),
    (#"{"flavor": "xcode"}"#, "the key “flavor” is unknown"),
    (#"{"namespace": "a b"}"#, "cannot stand in Swift code"),
  ])
  func saysWhatIsWrongWithTheFile(text: String, expected: String) throws {
    let error = #expect(throws: ModelFileError.self) { try options(text) }
    #expect(try #require(error).description.contains(expected))
  }

  private static func entity(_ attributes: String) -> String {
    "<entity name=\"A\" \(attributes) codeGenerationType=\"class\"/>"
  }

  @Test(arguments: [
    ("representedClassName=\".A\"", "A", "App.A"),
    ("representedClassName=\"A\"", "A", "A"),
    ("representedClassName=\"Other.A\"", "A", "Other.A"),
    ("representedClassName=\"App.Space.A\"", "Space.A", "App.Space.A"),
    ("representedClassName=\".Space.A\"", "Space.A", "App.Space.A"),
    ("representedClassName=\".A\" customModuleName=\"Kit\"", "A", "Kit.A"),
    ("representedClassName=\"A\" customModuleName=\"Kit\"", "A", "Kit.A"),
    ("representedClassName=\"A\" customModuleName=\"App\"", "A", "App.A"),
  ])
  func aClassStandsWhereTheModelSays(attributes: String, path: String, inModel: String) throws {
    var target = try TemporaryTarget()
    try target.addModel(Self.entity(attributes))
    defer { target.remove() }
    let model = try SourceModel(url: target.compilation.models[0], moduleName: "App")
    let generated = try ClassGenerator(models: [model], moduleName: "App").text()
    expectPart("extension \(path) {", in: generated.text)
    #expect(generated.classes.map(\.className) == [path])
    #expect(generated.classes.map(\.modelName) == [path])
    expectPart("representedClassName=\"\(inModel)\"", in: model.text)
    #expect(generated.text.contains("enum Space {}") == path.contains("Space"))
  }

  @Test func aNamespaceIsDeclaredOnce() throws {
    var target = try TemporaryTarget()
    try target.addModel(Self.entity("representedClassName=\".A\""))
    try target.addSource("enum Model { static let version = 3 }")
    target.compilation.options.namespace = "Model"
    try target.withOutput { text in
      #expect(!text.contains("enum Model {}"))
      expectPart("extension Model {", in: text)
      expectPart("register( \"A\", module: \"App\", type: Model.A.self", in: text)
    }
  }
}
