import Foundation

// All versions of the models at hand, for whoever looks for the one that a store was made with.
extension NSManagedObjectModel {
  /// Those of the program: embedded ones, then those in its bundles.
  static func versionsOfProgram() throws -> [NSManagedObjectModel] {
    try EmbeddedModels.allVersions() + packages(in: nil).flatMap(versions)
  }

  /// Those of a bundle; of the program for nil.
  static func versions(in bundle: Bundle?) throws -> [NSManagedObjectModel] {
    guard let bundle else { return try versionsOfProgram() }
    return try packages(in: bundle).flatMap(versions)
  }

  /// The version with a name, the one of `name.mom`.
  static func version(named name: String, in bundle: Bundle?) throws -> NSManagedObjectModel? {
    for package in packages(in: bundle) {
      if package.url.pathExtension == "mom" {
        if package.url.deletingPathExtension().lastPathComponent == name {
          return try package.currentModel()
        }
      } else if try package.versionNames().contains(name) {
        return try package.model(version: name)
      }
    }
    return nil
  }

  private static func packages(in bundle: Bundle?) -> [ModelPackage] {
    let bundles = bundle.map { [$0] } ?? ([Bundle.main] + Bundle.allBundles)
    var known: Set<String> = []
    return bundles.filter { known.insert($0.bundlePath).inserted }.flatMap { bundle in
      ["momd", "mom"].flatMap {
        (bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []).map { $0 as URL }
      }
    }.map { ModelPackage(url: $0) }
  }

  private static func versions(of package: ModelPackage) throws -> [NSManagedObjectModel] {
    guard package.url.pathExtension == "momd" else { return [try package.currentModel()] }
    return try package.versionNames().map { try package.model(version: $0) }
  }
}
