import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Random models of every type and flag in every form. `GENERATED_MODELS` sets how many, `MODEL_SEED` where they
/// begin.
struct GeneratedModelFileTests {
  private static let count =
    Int(ProcessInfo.processInfo.environment["GENERATED_MODELS"] ?? "") ?? Sample.part(of: 10)
  private static let firstSeed =
    UInt64(ProcessInfo.processInfo.environment["MODEL_SEED"] ?? "") ?? 1

  @Test(arguments: ModelForm.allCases) func aRandomModelSurvives(form: ModelForm) throws {
    let folder = try StoreFixture.makeFolder()
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.count) {
      let model = RandomModel.model(seed: seed)
      let url = try form.write(model, in: folder)
      let bytes = try ModelForm.bytes(at: url)
      let read = try ModelPackage(url: url).currentModel()
      let lost = ModelFacts(of: model).firstDifference(from: ModelFacts(of: read))
      #expect(lost == nil, "seed \(seed)")
      #expect(read == model, "seed \(seed)")
      #expect(read.entityVersionHashesByName == model.entityVersionHashesByName, "seed \(seed)")
      try form.shuffled(read).write(to: url)
      #expect(try ModelForm.bytes(at: url) == bytes, "seed \(seed)")
    }
  }

  /// From one form into another and back.
  @Test func aRandomModelSurvivesAllFormsInARow() throws {
    let folder = try StoreFixture.makeFolder()
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.count) {
      let model = RandomModel.model(seed: seed)
      var last = model
      for form in ModelForm.allCases + ModelForm.allCases.reversed() {
        last = try form.roundTrip(last, in: folder)
      }
      #expect(last == model, "seed \(seed)")
    }
  }

  /// The documents, which the build plugin hashes, agree with the descriptions.
  @Test func theDocumentsOfRandomModelsHaveTheirHashes() throws {
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.count) {
      let model = RandomModel.model(seed: seed)
      let document = try DocumentBuilder.document(of: model, file: "random")
      #expect(document.versionHashes() == model.entityVersionHashesByName, "seed \(seed)")
    }
  }
}
