import Foundation

extension NSMappingModel {
  /// Finds the mapping model from one version to another in bundles (those of the program for nil): the one whose
  /// entities have the hashes of the two models. Nil when there is none.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmappingmodel/init(from:forsourcemodel:destinationmodel:)
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel else { return nil }
    let all = bundles ?? ([Bundle.main] + Bundle.allBundles)
    let files = all.flatMap { bundle in
      ["cdm", "xcmappingmodel"].flatMap {
        (bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []).map { $0 as URL }
      }
    }
    for file in files.sorted(by: { $0.path < $1.path }) {
      guard let model = NSMappingModel(contentsOf: file),
        model.leads(from: sourceModel, to: destinationModel)
      else { continue }
      self.init()
      entityMappings = model.entityMappings
      return
    }
    return nil
  }

  /// Reads a compiled mapping model (`.cdm`). Nil when it cannot be read; the reason goes to the standard error
  /// stream.
  public convenience init?(contentsOf url: URL?) {
    guard let url else { return nil }
    do {
      let mappings = try MappingModelArchive.mappings(at: url)
      self.init()
      entityMappings = mappings
    } catch {
      FileHandle.standardError.write(Data("CoreData: error: \(error)\n".utf8))
      return nil
    }
  }
}
