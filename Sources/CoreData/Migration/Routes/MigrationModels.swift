import Foundation

/// Where a migration finds versions of models and mapping models, in the order in which it looks:
///
///     1. files that the option OpenCoreDataMigrationModelsOption names
///     2. models that the build plugin has embedded
///     3. the main bundle, all other bundles of the program, the resources of its targets
///
/// The store's own model, which the file keeps, comes after them all: `StoreMigration` asks for that.
struct MigrationModels {
  private let files: [URL]
  /// Whether a store may be led back to where another program led it away from.
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

  /// The version that a store was made with; nil when it is not there.
  func version(forStoreMetadata metadata: [String: Any]) -> NSManagedObjectModel? {
    guard let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) else {
      return nil
    }
    return reporting {
      NSManagedObjectModel(
        byMerging: try models.models(havingEntities: hashes), forStoreMetadata: metadata)
    }
  }

  /// Every version of every model.
  func versions() -> [NSManagedObjectModel] { reporting { try models.allVersions() } ?? [] }

  /// A model of the program that cannot be read is no reason not to look at the others: it is told.
  private func reporting<Result>(_ find: () throws -> Result?) -> Result? {
    do { return try find() } catch {
      ModelReport.write("error: \(error)")
      return nil
    }
  }

  /// All mapping models that can be read, each with its file.
  func mappingModels() -> [(url: URL, model: NSMappingModel)] {
    let named = files.filter { Self.mappingExtensions.contains($0.pathExtension.lowercased()) }
    return (named + NSMappingModel.files(in: bundles + ResourceBundles.all)).compactMap { url in
      NSMappingModel(contentsOf: url).map { (url, $0) }
    }
  }

  /// The versions of the model packages, those of each in the order of their names, numbers in them as numbers.
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
