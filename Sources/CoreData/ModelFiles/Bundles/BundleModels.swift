import Foundation

/// The models in some bundles, the embedded ones of the program among them.
struct BundleModels {
  private let bundles: [Bundle]
  /// Models that are looked at before those of the bundles.
  private let named: [URL]

  /// For nil, the program's.
  init(_ bundles: [Bundle]?, before named: [URL] = []) {
    self.bundles = bundles ?? [Bundle.main]
    self.named = named
  }

  /// The models, in their current versions.
  func currentModels() throws -> [NSManagedObjectModel] {
    let found = try bundles.flatMap(Self.files).map { try ModelPackage(url: $0).currentModel() }
    return hasProgram ? try found + EmbeddedModels.models() : found
  }

  /// Those versions of the models that together have the entities of the given hashes, as far as there
  /// are any: a version that has more of them, and less else, before the others.
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

  /// Every version of every model.
  func allVersions() throws -> [NSManagedObjectModel] { try versions().map { try $0.model() } }

  private var hasProgram: Bool { bundles.contains { $0.isAtPlace(of: .main) } }

  private func versions() throws -> [Version] {
    let files = named + bundles.flatMap(Self.files)
    guard hasProgram else { return try files.flatMap(Self.versions) }
    // The current versions of embedded models are at hand; the others lie in the targets' resources.
    let embedded = try EmbeddedModels.models().map(Version.init)
    return try named.flatMap(Self.versions) + embedded
      + (files.dropFirst(named.count) + resources).flatMap(Self.versions)
  }

  /// Of the embedded models, with all their versions.
  private var resources: [URL] {
    let names = Set(EmbeddedModels.names)
    return ResourceBundles.all.flatMap(Self.files).filter {
      names.contains($0.deletingPathExtension().lastPathComponent)
    }
  }

  /// The files of models that have several versions.
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

/// A version of a model that is read when it is needed.
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

  /// How many of the entities it has.
  func matches(_ wanted: [String: Data]) -> Int {
    wanted.count { hashes[$0.key] == $0.value }
  }

  func model() throws -> NSManagedObjectModel { try read() }
}
