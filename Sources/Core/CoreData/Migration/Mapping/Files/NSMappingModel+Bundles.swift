import Foundation

extension NSMappingModel {
  /// Finds the mapping model from one version to another in bundles (nil for those of the program):
  /// the one whose entities have the hashes of the two models. Returns nil if there is none.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmappingmodel,
  /// init(from:forsourcemodel:destinationmodel:)
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel else { return nil }
    let all = bundles ?? ([Bundle.main] + Bundle.allBundles + ResourceBundles.all)
    for file in Self.files(in: all) {
      guard let model = NSMappingModel(contentsOf: file),
        model.leads(from: sourceModel, to: destinationModel)
      else { continue }
      self.init()
      entityMappings = model.entityMappings
      return
    }
    return nil
  }

  /// The files of mapping models in bundles, sorted by path.
  static func files(in bundles: [Bundle]) -> [URL] {
    let files = bundles.flatMap { bundle in
      ["cdm", "xcmappingmodel"].flatMap {
        (bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []).map { $0 as URL }
      }
    }
    return Set(files.map(\.standardizedFileURL)).sorted { $0.path < $1.path }
  }
}
