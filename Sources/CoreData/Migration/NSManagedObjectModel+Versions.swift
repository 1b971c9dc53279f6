import Foundation

// Versions of the models at hand, for whoever looks for a certain one.
extension NSManagedObjectModel {
  /// The one whose entities have these hashes, in a bundle or for nil in the program.
  static func version(
    havingEntities hashes: [String: Data], in bundle: Bundle?
  ) throws -> NSManagedObjectModel? {
    try BundleModels(bundle.map { [$0] }).models(havingEntities: hashes).first {
      $0.entityVersionHashesByName == hashes
    }
  }

  /// The one of `name.mom`, in a bundle or for nil in the program.
  static func version(named name: String, in bundle: Bundle?) throws -> NSManagedObjectModel? {
    let bundles = bundle.map { [$0] } ?? ([Bundle.main] + Bundle.allBundles + ResourceBundles.all)
    for package in bundles.flatMap(BundleModels.files).map({ ModelPackage(url: $0) })
    where try package.versionNames().contains(name) {
      return try package.model(version: name)
    }
    return bundle == nil ? try EmbeddedModels.model(named: name) : nil
  }
}
