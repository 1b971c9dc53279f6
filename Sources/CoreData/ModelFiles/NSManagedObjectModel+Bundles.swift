import Foundation

extension NSManagedObjectModel {
  /// Makes one model of all models in the given bundles, or for nil of those of the program.
  ///
  /// The models of the program are those that the build plugin embeds and those beside the main
  /// bundle. Nil when a model cannot be read or two contradict each other; the reason goes to the
  /// standard error stream.
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodel/mergedmodel(from:)
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    guard let models = models(in: bundles, versions: .current) else { return nil }
    return NSManagedObjectModel(byMerging: models)
  }

  /// Makes one model of those entities in the bundles' models that a store was made with; nil when
  /// they do not have all of them.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    guard let models = models(in: bundles, versions: .all) else { return nil }
    return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
  }

  private enum Versions {
    case current
    case all
  }

  private class func models(
    in bundles: [Bundle]?, versions: Versions
  ) -> [NSManagedObjectModel]? {
    do {
      return try (bundles ?? [Bundle.main]).flatMap { try models(in: $0, versions: versions) }
    } catch {
      FileHandle.standardError.write(Data("CoreData: error: \(error)\n".utf8))
      return nil
    }
  }

  private class func models(
    in bundle: Bundle, versions: Versions
  ) throws -> [NSManagedObjectModel] {
    let found = try files(in: bundle).flatMap { url in
      let package = ModelPackage(url: url)
      guard versions == .all, url.pathExtension == "momd" else {
        return [try package.currentModel()]
      }
      return try package.versionNames().map { try package.model(version: $0) }
    }
    guard bundle === Bundle.main else { return found }
    let embedded =
      versions == .all ? try EmbeddedModels.allVersions() : try EmbeddedModels.currentModels()
    return found + embedded
  }

  private class func files(in bundle: Bundle) -> [URL] {
    ["momd", "mom"].flatMap {
      (bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []).map { $0 as URL }
    }
  }
}
