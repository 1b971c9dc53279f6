import Foundation

/// The models in a list of bundles, including the models embedded in the program.
struct BundleModels {
  private let bundles: [Bundle]
  /// Models that precede those of the bundles.
  private let named: [URL]

  /// Nil stands for the bundle of the program.
  init(_ bundles: [Bundle]?, before named: [URL] = []) {
    self.bundles = bundles ?? [Bundle.main]
    self.named = named
  }

  /// The models in their current versions.
  func currentModels() throws -> [NSManagedObjectModel] {
    let found = try bundles.flatMap(Self.files).map { try ModelPackage(url: $0).currentModel() }
    return hasProgram ? try found + EmbeddedModels.models() : found
  }

  /// The model versions that together have the entities with the given hashes, as far as they
  /// exist. Prefers versions with more of these entities, and among equals those with fewer other
  /// entities.
  func models(havingEntities hashes: [String: Data]) throws -> [NSManagedObjectModel] {
    var missing = hashes
    var chosen: [NSManagedObjectModel] = []
    let candidates = try versions().map { (version: $0, matches: $0.matches(hashes)) }
    let best = candidates.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.matches != other.matches { return one.matches > other.matches }
      let sizes = (one.version.hashes.count, other.version.hashes.count)
      return sizes.0 == sizes.1 ? left.offset < right.offset : sizes.0 < sizes.1
    }
    for (_, candidate) in best where candidate.version.matches(missing) > 0 {
      chosen.append(try candidate.version.model())
      missing = missing.filter { candidate.version.hashes[$0.key] != $0.value }
    }
    return chosen
  }

  /// All versions of all models.
  func allVersions() throws -> [NSManagedObjectModel] { try versions().map { try $0.model() } }

  private var hasProgram: Bool { bundles.contains { $0.isAtPlace(of: .main) } }

  private func versions() throws -> [Version] {
    let files = named + bundles.flatMap(Self.files)
    guard hasProgram else { return try files.flatMap(Self.versions) }
    // The current versions of embedded models are in memory; other versions are in the targets'
    // resources.
    let embedded = try EmbeddedModels.models().map(Version.init)
    return try named.flatMap(Self.versions) + embedded
      + (files.dropFirst(named.count) + resources).flatMap(Self.versions)
  }

  /// The resource files of the embedded models, with all their versions.
  private var resources: [URL] {
    let names = Set(EmbeddedModels.names)
    return ResourceBundles.all.flatMap(Self.files).filter {
      names.contains($0.deletingPathExtension().lastPathComponent)
    }
  }

  /// The files of models with several versions.
  var packages: [ModelPackage] {
    let files = named + bundles.flatMap(Self.files) + (hasProgram ? resources : [])
    return files.filter { ["momd", "xcdatamodeld"].contains($0.pathExtension.lowercased()) }
      .map { ModelPackage(url: $0) }
  }

  private static func versions(of file: URL) throws -> [Version] {
    let package = ModelPackage(url: file)
    let noted = try package.versionInfo()?.hashes ?? [:]
    return try package.versionNames().map { name in
      guard let hashes = noted[name] else { return Version(try package.model(version: name)) }
      return Version(hashes: hashes) { try package.model(version: name) }
    }
  }

  static func files(in bundle: Bundle) -> [URL] {
    ["momd", "mom"].flatMap {
      (bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []).map { $0 as URL }
    }
  }
}

/// A version of a model, read on demand.
private struct Version {
  let hashes: [String: Data]
  private let read: () throws -> NSManagedObjectModel

  init(hashes: [String: Data], read: @escaping () throws -> NSManagedObjectModel) {
    self.hashes = hashes
    self.read = read
  }

  init(_ model: NSManagedObjectModel) {
    self.init(hashes: model.entityVersionHashesByName) { model }
  }

  /// The number of wanted entities that the version has.
  func matches(_ wanted: [String: Data]) -> Int {
    wanted.count { hashes[$0.key] == $0.value }
  }

  func model() throws -> NSManagedObjectModel { try read() }
}
