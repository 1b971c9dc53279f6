import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Mapping models written in both forms and read back.
struct WrittenMappingTests {
  private func models(_ random: inout SplitMix64) throws -> (URL, URL, [NSManagedObjectModel]) {
    let folder = try StoreFixture.makeFolder()
    let old = PlainModel(random: &random)
    var new = old
    for _ in 0..<Int.random(in: 1...5, using: &random) { _ = new.edit(&random) }
    let models = [old.model(), new.model()]
    let urls = ["Old.xcdatamodel", "New.xcdatamodel"].map(folder.appendingPathComponent)
    for (model, url) in zip(models, urls) {
      // XML has no default values of binary data.
      for entity in model.entities {
        for attribute in entity.attributesByName.values { attribute.defaultValue = nil }
      }
      try model.write(to: url)
    }
    return (urls[0], urls[1], models)
  }

  private func expression(_ random: inout SplitMix64) -> CoreData.NSExpression? {
    let texts = [
      "$source.name", "$source.a + 10", "($source.t - 32.0) / 1.8",
      "FUNCTION($entityPolicy, \"title:manager:\", $source.title, $manager)",
      "$source.countries.@distinctUnionOfSets.moods", "\"text\"", "7", "nil", "now()",
      "TERNARY($source.a > 3, 1, {1, 2})", "uppercase:($source.name)",
      "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
        + "\"AToA\", $source.trades)",
    ]
    return texts.randomElement(using: &random).map { NSExpression(format: $0) }
  }

  /// Of every type, with every field.
  private func randomModel(_ random: inout SplitMix64) -> NSMappingModel {
    let model = NSMappingModel()
    model.entityMappings = (0..<Int.random(in: 0...6, using: &random)).map { number in
      let mapping = NSEntityMapping()
      mapping.name = "Mapping \(number)"
      mapping.mappingType =
        NSEntityMappingType(rawValue: UInt.random(in: 0...5, using: &random))
        ?? .undefinedEntityMappingType
      if Bool.random(using: &random) {
        mapping.sourceEntityName = "Source\(number)"
        mapping.sourceEntityVersionHash = Data((0..<32).map { UInt8($0 + number) })
        mapping.sourceExpression = MappingInference.fetch("Source\(number)")
      }
      if Bool.random(using: &random) { mapping.destinationEntityName = "Destination\(number)" }
      if Bool.random(using: &random) { mapping.entityMigrationPolicyClassName = "Module.Policy" }
      if Bool.random(using: &random) {
        mapping.userInfo = ["names": Set(["a", "b"]), "number": 7, "list": ["x", 1.5] as [Any]]
      }
      if Bool.random(using: &random) { mapping.attributeMappings = properties(&random) }
      if Bool.random(using: &random) { mapping.relationshipMappings = properties(&random) }
      return mapping
    }
    return model
  }

  private func properties(_ random: inout SplitMix64) -> [NSPropertyMapping] {
    (0..<Int.random(in: 0...5, using: &random)).map { number in
      let mapping = NSPropertyMapping()
      mapping.name = "property\(number)"
      if Bool.random(using: &random) { mapping.valueExpression = expression(&random) }
      if Bool.random(using: &random) { mapping.userInfo = ["note": "Käse 🧀"] }
      return mapping
    }
  }

  @Test func randomMappingModelsSurviveCompiling() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Random.cdm")
    for seed in UInt64(1)...60 {
      var random = SplitMix64(seed: seed)
      let model = randomModel(&random)
      try model.write(to: url)
      let bytes = try Data(contentsOf: url)
      let read = try NSMappingModel(contentsOfMappingModelAt: url)
      #expect(read == model, "seed \(seed)")
      try read.write(to: url)
      #expect(try Data(contentsOf: url) == bytes, "seed \(seed)")
    }
  }

  @Test func inferredMappingModelsSurviveCompiling() throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Inferred.cdm")
    for seed in UInt64(1)...20 {
      var random = SplitMix64(seed: seed)
      let (_, _, models) = try models(&random)
      let model = try NSMappingModel.inferredMappingModel(
        forSourceModel: models[0], destinationModel: models[1])
      try model.write(to: url)
      #expect(try NSMappingModel(contentsOfMappingModelAt: url) == model, "seed \(seed)")
    }
  }

  /// What a source can hold: the names alone, and expressions of one's own here and there.
  @Test func randomSourcesSurvive() throws {
    for seed in UInt64(1)...20 {
      var random = SplitMix64(seed: seed)
      let (source, destination, models) = try models(&random)
      let url = source.deletingLastPathComponent().appendingPathComponent("Random.xcmappingmodel")
      let model = NSMappingModel()
      model.entityMappings = try NSMappingModel.inferredMappingModel(
        forSourceModel: models[0], destinationModel: models[1]
      ).entityMappings.map { asSource($0, models, &random) }
      try model.write(to: url, sourceModelAt: source, destinationModelAt: destination)
      let bytes = try ModelForm.bytes(at: url)
      let read = try NSMappingModel(contentsOfMappingModelAt: url)
      #expect(read == model, "seed \(seed)")
      try read.write(to: url, sourceModelAt: source, destinationModelAt: destination)
      #expect(try ModelForm.bytes(at: url) == bytes, "seed \(seed)")
      #expect(read.leads(from: models[0], to: models[1]), "seed \(seed)")
    }
  }

  private func asSource(
    _ inferred: NSEntityMapping, _ models: [NSManagedObjectModel], _ random: inout SplitMix64
  ) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.sourceEntityName = inferred.sourceEntityName
    mapping.sourceEntityVersionHash = inferred.sourceEntityVersionHash
    mapping.destinationEntityName = inferred.destinationEntityName
    mapping.destinationEntityVersionHash = inferred.destinationEntityVersionHash
    mapping.sourceExpression = inferred.sourceEntityName.map(MappingInference.fetch)
    let names = [inferred.sourceEntityName, inferred.destinationEntityName].compactMap(\.self)
    mapping.name = names.joined(separator: "To")
    mapping.mappingType =
      inferred.sourceEntityName == nil
      ? .addEntityMappingType
      : inferred.destinationEntityName == nil ? .removeEntityMappingType : .copyEntityMappingType
    if Bool.random(using: &random) {
      mapping.entityMigrationPolicyClassName = "Policy"
      mapping.mappingType = .customEntityMappingType
    }
    func kept(_ list: [NSPropertyMapping]?) -> [NSPropertyMapping] {
      (list ?? []).sorted { ($0.name ?? "") < ($1.name ?? "") }.map { old in
        let property = NSPropertyMapping()
        property.name = old.name
        property.valueExpression =
          expression(&random) ?? NSExpression(forConstantValue: 1)
        return property
      }
    }
    mapping.attributeMappings = kept(inferred.attributeMappings)
    mapping.relationshipMappings = kept(inferred.relationshipMappings)
    return mapping
  }

  @Test func whatASourceCannotHoldIsNamed() throws {
    var random = SplitMix64(seed: 3)
    let (source, destination, models) = try models(&random)
    let url = source.deletingLastPathComponent().appendingPathComponent("Lost.xcmappingmodel")
    let inferred = try NSMappingModel.inferredMappingModel(
      forSourceModel: models[0], destinationModel: models[1])
    let error = #expect(throws: ModelFileError.self) {
      try inferred.write(to: url, sourceModelAt: source, destinationModelAt: destination)
    }
    #expect(error?.problem.contains("its name") == true, "\(error as Any)")
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(throws: ModelFileError.self) { try inferred.write(to: url) }
  }

  @Test(.enabled(if: Corpus.isNamed, Corpus.reason))
  func everyRealMappingModelSurvives() throws {
    let folder = try StoreFixture.makeFolder()
    let urls =
      try Corpus.urls(under: "models", suffix: ".xcmappingmodel")
      + Corpus.urls(under: "compiled", suffix: ".cdm")
    #expect(urls.count == 4)
    for url in urls {
      let model = try NSMappingModel(contentsOfMappingModelAt: url)
      let compiled = folder.appendingPathComponent("Written.cdm")
      try model.write(to: compiled)
      #expect(try NSMappingModel(contentsOfMappingModelAt: compiled) == model, "\(url.path)")
    }
    for (name, package, old, new) in [
      (
        "compiled/CoreDataPlus/V2toV3.cdm", "CoreDataPlus/SampleModel", "SampleModel2",
        "SampleModel3"
      ),
      (
        "models/objcio-core-data/Moody 2-Moody 3.xcmappingmodel", "objcio-core-data/Moody",
        "Moody 2", "Moody 3"
      ),
    ] {
      let model = try NSMappingModel(contentsOfMappingModelAt: Corpus.url(name))
      let models = try Corpus.url("models/\(package).xcdatamodeld")
      let written = folder.appendingPathComponent("Written.xcmappingmodel")
      try model.write(
        to: written, sourceModelAt: models.appendingPathComponent(old + ".xcdatamodel"),
        destinationModelAt: models.appendingPathComponent(new + ".xcdatamodel"))
      #expect(try NSMappingModel(contentsOfMappingModelAt: written) == model, "\(name)")
    }
  }
}
