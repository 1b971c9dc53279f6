import Foundation

/// The versions of models and the mapping models that a migration can use, in the order of lookup:
///
///     1. files in the option OpenCoreDataMigrationModelsOption
///     2. models that the build plugin has embedded
///     3. the main bundle, all other bundles of the program, the resources of its targets
///
/// The model that the store itself keeps comes last; `StoreMigration` reads it.
struct MigrationModels {
  private let files: [URL]
  /// Whether a store may be migrated back to a version from which another program has migrated it.
  let leadBack: Bool
  private static let mappingExtensions = ["cdm", "xcmappingmodel"]

  init(_ options: StoreOptions) {
    files = options[OpenCoreDataMigrationModelsOption] as? [URL] ?? []
    leadBack = options.isOn(OpenCoreDataLeadsBackOption)
  }

  private var bundles: [Bundle] { [Bundle.main] + Bundle.allBundles }

  private var models: BundleModels {
    BundleModels(
      bundles,
      before: files.filter { !Self.mappingExtensions.contains($0.pathExtension.lowercased()) })
  }

  /// The version with which a store was made; nil if it is not found.
  func version(forStoreMetadata metadata: [String: Any]) -> NSManagedObjectModel? {
    guard let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) else {
      return nil
    }
    return reporting {
      NSManagedObjectModel(
        byMerging: try models.models(havingEntities: hashes), forStoreMetadata: metadata)
    }
  }

  /// All versions of all models.
  func versions() -> [NSManagedObjectModel] { reporting { try models.allVersions() } ?? [] }

  /// Writes errors to standard error: a model that cannot be read must not prevent the use of
  /// others.
  private func reporting<Result>(_ find: () throws -> Result?) -> Result? {
    do { return try find() } catch {
      ModelReport.write("error: \(error)")
      return nil
    }
  }

  /// All readable mapping models, each with its file.
  func mappingModels() -> [(url: URL, model: NSMappingModel)] {
    let named = files.filter { Self.mappingExtensions.contains($0.pathExtension.lowercased()) }
    return (named + NSMappingModel.files(in: bundles + ResourceBundles.all)).compactMap { url in
      NSMappingModel(contentsOf: url).map { (url, $0) }
    }
  }

  /// The versions of the model packages, each package's sorted by name, with numbers in names
  /// compared as numbers.
  func packages() throws -> [(url: URL, versions: [Version])] {
    try models.packages.map { package in
      let names = try package.versionNames().sorted {
        $0.compare($1, options: .numeric) == .orderedAscending
      }
      return (package.url, names.map { Version(name: $0, package: package) })
    }
  }

  struct Version {
    let name: String
    let package: ModelPackage

    func model() throws -> NSManagedObjectModel { try package.model(version: name) }
  }
}
