import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The copies that mapping models have of their models, in the form of Xcode's first versions, say what the models
/// themselves say.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct ModelCopyTests {
  @Test func copiesSayWhatTheirModelsSay() throws {
    let pairs = [
      ("CoreDataPlus/V2toV3", "CoreDataPlus/SampleModel", ["SampleModel2", "SampleModel3"]),
      ("objcio-core-data/Moody 2-Moody 3", "objcio-core-data/Moody", ["Moody 2", "Moody 3"]),
    ]
    for (mapping, package, versions) in pairs {
      let document = try MappingPackage(
        url: Corpus.url("models/\(mapping).xcmappingmodel")
      ).document()
      let models = ModelPackage(url: try Corpus.url("models/\(package).xcdatamodeld"))
      for (copy, version) in zip([document.source.copy, document.destination.copy], versions) {
        let old = try ModelDocument(data: #require(copy), file: mapping)
        let model = try models.model(version: version)
        let made = try ModelBuilder.model(of: old)
        #expect(made.entityVersionHashesByName == model.entityVersionHashesByName, "\(version)")
        for (name, entity) in model.entitiesByName {
          let other = try #require(made.entitiesByName[name])
          #expect(other.uniquenessConstraintNames == entity.uniquenessConstraintNames, "\(name)")
          // These were left to the names of the entities after the copy was made.
          if !package.hasPrefix("objcio") {
            #expect(other.managedObjectClassName == entity.managedObjectClassName, "\(name)")
          }
          for (property, description) in entity.propertiesByName {
            #expect(other.propertiesByName[property] == description, "\(name).\(property)")
          }
        }
      }
    }
  }

  /// These have no model of their own beside them.
  @Test func copiesWithoutTheirModelsAreRead() throws {
    let document = try MappingPackage(
      url: Corpus.url("models/CoreStore/Advanced.EvolutionDemo.V2.FromV1.xcmappingmodel")
    ).document()
    let copies = try [document.source, document.destination].map {
      try ModelDocument(data: #require($0.copy), file: "copy")
    }
    #expect(copies.map { $0.entities.map(\.name) } == [["Creature"], ["Creature"]])
    let names = copies.map { Set($0.entities[0].properties.map(\.name)) }
    #expect(names[0] == ["dnaCode", "numberOfFlagella"])
    #expect(names[1].isSuperset(of: ["dnaCode", "hasHead", "hasTail", "hasVertebrae"]))
  }
}
