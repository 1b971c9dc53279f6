import CoreData
import Foundation
import Testing

@testable import ModelCompiler

/// Mapping models and migration policies of a target.
struct MappingModelTests {
  private func makeTarget() throws -> TemporaryTarget {
    var target = try TemporaryTarget()
    try target.addModel(
      "<entity name=\"Old\"><attribute name=\"title\" attributeType=\"String\"/></entity>",
      name: "V1")
    try target.addModel(
      "<entity name=\"New\"><attribute name=\"title\" attributeType=\"String\"/></entity>",
      name: "V2")
    let mapping = NSEntityMapping()
    mapping.name = "OldToNew"
    mapping.mappingType = .customEntityMappingType
    mapping.entityMigrationPolicyClassName = "App.OldPolicy"
    mapping.sourceEntityName = "Old"
    mapping.destinationEntityName = "New"
    let models = target.compilation.models.map {
      $0.appendingPathComponent($0.deletingPathExtension().lastPathComponent + ".xcdatamodel")
    }
    mapping.sourceEntityVersionHash = try NSManagedObjectModel(contentsOfModelAt: models[0])
      .entitiesByName["Old"]?.versionHash
    mapping.destinationEntityVersionHash = try NSManagedObjectModel(contentsOfModelAt: models[1])
      .entitiesByName["New"]?.versionHash
    mapping.sourceExpression = NSExpression(
      format: "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", "
        + "\"Old\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)")
    let title = NSPropertyMapping()
    title.name = "title"
    title.valueExpression = NSExpression(format: "$source.title")
    mapping.attributeMappings = [title]
    mapping.relationshipMappings = []
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    let url = target.folder.appendingPathComponent("OldToNew.xcmappingmodel")
    try model.write(to: url, sourceModelAt: models[0], destinationModelAt: models[1])
    target.compilation.mappingModels = [url]
    return target
  }

  @Test func aMappingModelIsCompiledBesideTheModels() throws {
    let target = try makeTarget()
    try target.withOutput { _ in
      let file = target.compilation.modelFolder.appendingPathComponent("OldToNew.cdm")
      let compiled = try NSMappingModel(contentsOfMappingModelAt: file)
      let source = try NSMappingModel(
        contentsOfMappingModelAt: target.compilation.mappingModels[0])
      #expect(compiled == source)
      #expect(compiled.entityMappings.map(\.name) == ["OldToNew"])
      let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
      try target.compilation.run()
      let again = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
      #expect(date as? Date == again as? Date)
    }
  }

  @Test(.enabled(if: TemporaryTarget.compiler != nil, "there is no swiftc on the path"))
  func policiesAreRegisteredByBothNames() throws {
    var target = try makeTarget()
    try target.addSource(
      """
      import CoreData
      class OldPolicy: NSEntityMigrationPolicy {
        let known = 7
        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}
      }
      enum Policies { final class Inner: OldPolicy {} }
      private class Hidden: NSEntityMigrationPolicy {}
      class Other: NSObject {}
      """)
    try target.withOutput { text in
      expectPart(
        """
        OldPolicy.register(as: "OldPolicy")
        OldPolicy.register(as: "App.OldPolicy")
        Policies.Inner.register(as: "Policies.Inner")
        Policies.Inner.register(as: "App.Policies.Inner")
        """, in: text)
      #expect(!text.contains("Hidden") && !text.contains("Other"))
      #expect(!text.contains("ManagedObjectClasses.register"))
    }
  }
}
