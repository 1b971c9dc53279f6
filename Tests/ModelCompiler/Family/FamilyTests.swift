import Foundation
import Testing

@testable import ModelCompiler

/// The models and cases of the targets whose classes are generated are the ones of the table.
///
/// After an edit of the table, `REGENERATE=1 swift test --filter FamilyTests` writes them anew.
struct FamilyTests {
  private static let targets: [(String, FamilySource)] = [
    ("SourceCompatibility", FamilySource(flavour: .standard, prefix: "")),
    ("IdiomaticClasses", FamilySource(flavour: .idiomatic, prefix: "Family.")),
  ]

  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: targets.indices) func theFilesOfTheTargetsAreUpToDate(target: Int) throws {
    let (name, source) = Self.targets[target]
    let folder = Self.tests.appendingPathComponent(name)
    try check(
      FamilyModel.text,
      folder.appendingPathComponent("Family.xcdatamodeld/Family.xcdatamodel/contents"))
    try check(source.text, folder.appendingPathComponent("Family/FamilyCases.swift"))
  }

  private func check(_ text: String, _ file: URL) throws {
    if ProcessInfo.processInfo.environment["REGENERATE"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(file.path)")
  }
}
