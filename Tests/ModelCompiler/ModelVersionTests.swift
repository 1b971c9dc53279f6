import CoreData
import Foundation
import ModelDocuments
import Testing

@testable import ModelCompiler

/// Models with many versions, most of which never change.
struct ModelVersionTests {
  private static let versions = 1...117

  private func withTarget(_ body: (TemporaryTarget) throws -> Void) throws {
    var target = try TemporaryTarget()
    defer { target.remove() }
    try target.addVersions(Self.versions, current: 117)
    try body(target)
  }

  private func files(of target: TemporaryTarget) throws -> [String: Date] {
    let folder = target.compiledModel
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Dictionary(
      uniqueKeysWithValues: try names.map { name in
        let path = folder.appendingPathComponent(name).path
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        return (name, try #require(date as? Date))
      })
  }

  @Test func everyVersionIsCompiledAndOneIsEmbedded() throws {
    try withTarget { target in
      try target.compilation.run()
      let package = ModelPackage(url: target.compiledModel)
      #expect(try package.versionNames().count == 117)
      #expect(try package.currentVersionName() == "V117")
      let info = try #require(try package.versionInfo())
      for count in [1, 60, 117] {
        let file = target.compiledModel.appendingPathComponent("V\(count).mom")
        let model = try #require(NSManagedObjectModel(contentsOf: file))
        #expect(model.entityVersionHashesByName == info.hashes["V\(count)"])
        #expect(model.entitiesByName["Item"]?.managedObjectClassName == "App.Item")
        #expect(model.entitiesByName["Item"]?.properties.count == count)
      }
      let text = try String(contentsOf: target.compilation.output, encoding: .utf8)
      #expect(text.components(separatedBy: "document:").count == 2)
      #expect(text.contains("name=\"a116\"") && text.utf8.count < 30_000)
    }
  }

  @Test func onlyWhatChangesIsCompiledAgain() throws {
    try withTarget { target in
      try target.compilation.run()
      let old = Date(timeIntervalSinceReferenceDate: 0)
      for name in try files(of: target).keys {
        let path = target.compiledModel.appendingPathComponent(name).path
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
      }
      try target.compilation.run()
      #expect(try files(of: target).values.allSatisfy { $0 == old })
      try target.writeVersion(7, attributes: 200)
      try FileManager.default.removeItem(at: target.version(8))
      try target.compilation.run()
      let changed = try files(of: target).filter { $0.value != old }.map(\.key)
      #expect(Set(changed) == ["V7.mom", "VersionInfo.plist"])
      #expect(try files(of: target)["V8.mom"] == nil)
      let info = try #require(try ModelPackage(url: target.compiledModel).versionInfo())
      let seventh = target.compiledModel.appendingPathComponent("V7.mom")
      #expect(
        info.hashes["V7"] == NSManagedObjectModel(contentsOf: seventh)?.entityVersionHashesByName)
      #expect(info.hashes["V8"] == nil)
    }
  }

  /// An old version that is damaged after it was compiled would be an error, were it read.
  @Test func anEditOfASourceReadsTheCurrentVersionAlone() throws {
    try withTarget { target in
      let file = target.version(3).appendingPathComponent("contents")
      func setDate() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
      }
      try setDate()
      try target.compilation.run()
      let size = try Data(contentsOf: file).count
      try Data(repeating: 0x20, count: size).write(to: file)
      try setDate()
      try target.compilation.run()
      try Data("<model>".utf8).write(to: file)
      #expect(throws: ModelFileError.self) { try target.compilation.run() }
    }
  }

  @Test func anotherCurrentVersionIsEmbeddedAndNoted() throws {
    try withTarget { target in
      try target.compilation.run()
      try target.writeCurrentVersion(5)
      try target.compilation.run()
      #expect(try ModelPackage(url: target.compiledModel).currentVersionName() == "V5")
      let text = try String(contentsOf: target.compilation.output, encoding: .utf8)
      #expect(text.contains("version: \"V5\"") && !text.contains("name=\"a5\""))
    }
  }

  /// Xcode keeps the text of a default when an attribute becomes a flag or a whole number.
  @Test(arguments: [
    "Boolean", "Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Decimal",
  ])
  func defaultsThatXcodeLeavesGiveNoWarning(type: String) throws {
    for text in ["0.0", "1.0", "0", "1", ""] {
      var target = try TemporaryTarget()
      defer { target.remove() }
      try target.addModel(
        "<entity name=\"E\"><attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/></entity>"
      )
      #expect(try target.compilation.run().isEmpty, "\(type): \(text)")
    }
  }

  @Test func warningsNameTheFileOfTheModel() throws {
    var target = try TemporaryTarget()
    defer { target.remove() }
    try target.addModel(
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Integer 16\" defaultValueString=\"NO\"/></entity>"
    )
    let warnings = try target.compilation.run()
    #expect(warnings.count == 1)
    #expect(
      warnings[0].hasSuffix(
        "Store.xcdatamodel/contents:3:1: warning: entity “E”, property “a”: "
          + "the default value “NO” is not of type Integer 16; it is read as 0"), "\(warnings)")
  }
}

extension TemporaryTarget {
  private var model: URL { folder.appendingPathComponent("Many.xcdatamodeld") }

  var compiledModel: URL { compilation.modelFolder.appendingPathComponent("Many.momd") }

  /// Adds a model whose version of a number has as many attributes.
  mutating func addVersions(_ versions: ClosedRange<Int>, current: Int) throws {
    for number in versions { try writeVersion(number, attributes: number) }
    try writeCurrentVersion(current)
    compilation.models.append(model)
  }

  func version(_ number: Int) -> URL { model.appendingPathComponent("V\(number).xcdatamodel") }

  func writeVersion(_ number: Int, attributes count: Int) throws {
    try FileManager.default.createDirectory(
      at: version(number), withIntermediateDirectories: true)
    let attributes = (0..<count).map {
      "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\"/>"
    }
    let text =
      "<model><entity name=\"Item\" representedClassName=\".Item\">\(attributes.joined())</entity></model>"
    try Data(text.utf8).write(to: version(number).appendingPathComponent("contents"))
  }

  func writeCurrentVersion(_ number: Int) throws {
    let list = ["_XCCurrentVersionName": "V\(number).xcdatamodel"]
    try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
      .write(to: model.appendingPathComponent(".xccurrentversion"))
  }
}
