import Foundation

// Lookup of model versions in bundles.
extension NSManagedObjectModel {
  /// The version whose entities have these hashes, in a bundle, or in the program for nil.
  static func version(
    havingEntities hashes: [String: Data], in bundle: Bundle?
  ) throws -> NSManagedObjectModel? {
    try BundleModels(bundle.map { [$0] }).models(havingEntities: hashes).first {
      $0.entityVersionHashesByName == hashes
    }
  }

  /// The version in `name.mom`, in a bundle, or in the program for nil.
  static func version(named name: String, in bundle: Bundle?) throws -> NSManagedObjectModel? {
    let bundles = bundle.map { [$0] } ?? ([Bundle.main] + Bundle.allBundles + ResourceBundles.all)
    for package in bundles.flatMap(BundleModels.files).map({ ModelPackage(url: $0) })
    where try package.versionNames().contains(name) {
      return try package.model(version: name)
    }
    return bundle == nil ? try EmbeddedModels.model(named: name) : nil
  }
}
