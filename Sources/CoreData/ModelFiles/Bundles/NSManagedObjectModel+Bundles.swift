import Foundation

extension NSManagedObjectModel {
  /// Makes one model of all models in the given bundles, or for nil of those of the program.
  ///
  /// The models of the program, and of any bundle at its place, are those that the build plugin embeds and
  /// those beside the main bundle. Nil when a model cannot be read or two contradict each other; the
  /// reason goes to the standard error stream.
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodel/mergedmodel(from:)
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    reportingErrors {
      NSManagedObjectModel(byMerging: try BundleModels(bundles).currentModels())
    }
  }

  /// Makes one model of those entities in the bundles' models that a store was made with; nil when
  /// they do not have all of them.
  ///
  /// Every version of a model is looked at. Of a `.momd` with a `VersionInfo.plist` only the versions that
  /// are needed are read.
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
