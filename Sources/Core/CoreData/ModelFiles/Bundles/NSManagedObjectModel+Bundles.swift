import Foundation

extension NSManagedObjectModel {
  /// Merges all models in the given bundles; nil stands for the models of the program.
  ///
  /// The models of the program, and of any bundle at its path, are those that the build plugin
  /// embeds and those beside the main bundle. Returns nil if a model cannot be read or two models
  /// contradict each other; the reason is written to standard error.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodel/mergedmodel(from:)
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    reportingErrors {
      NSManagedObjectModel(byMerging: try BundleModels(bundles).currentModels())
    }
  }

  /// Merges those entities of the bundles' models with which a store was made. Returns nil if the
  /// models do not have all of them, or one cannot be read; that reason is written to standard
  /// error.
  ///
  /// Considers every version of a model. Of a `.momd` with a `VersionInfo.plist` only the required
  /// versions are read.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    guard let hashes = versionHashes(inStoreMetadata: metadata) else { return nil }
    return reportingErrors {
      NSManagedObjectModel(
        byMerging: try BundleModels(bundles).models(havingEntities: hashes),
        forStoreMetadata: metadata)
    }
  }

  private class func reportingErrors(
    _ make: () throws -> NSManagedObjectModel?
  ) -> NSManagedObjectModel? {
    do {
      return try make()
    } catch {
      ModelReport.write("error: \(error)")
      return nil
    }
  }
}
