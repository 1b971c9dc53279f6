import Foundation

extension NSManagedObjectModel {
  /// Writes the model in the form that the extension of the URL names, so that Xcode or Apple's framework
  /// reads it.
  ///
  ///     X.xcdatamodel     XML, as Xcode edits it
  ///     X.xcdatamodeld    the same as the only version, named like the file
  ///     X.mom             a compiled model
  ///     X.momd            the same as the only version, with its version hashes and checksum
  ///
  /// Equal models have the same bytes; entities and properties stand in the order of their names. What was at
  /// the URL is replaced when the new one is whole.
  ///
  /// Throws a ``ModelFileError`` that names the entity and property for what the form cannot hold: in XML more
  /// than one version identifier or one that is no string, user info that is not of strings, default values
  /// that have no text, validation other than limits and a pattern, sort descriptors of a fetch request. XML adds an index of the property's own name for each index
  /// of one property, as Xcode's compiler does. Hints for generated code are in XML alone. Localized texts
  /// are in neither.
  ///
  /// Beyond Apple's API, where Xcode writes models.
  public final func write(to url: URL) throws {
    try Self.write(
      [url.deletingPathExtension().lastPathComponent: self],
      currentVersion: url.deletingPathExtension().lastPathComponent, to: url)
  }

  /// Writes the versions of a model by their names as an `.xcdatamodeld` or a `.momd`; see ``write(to:)``.
  ///
  /// Throws also when the current version is not among them.
  public class func write(
    _ versions: [String: NSManagedObjectModel], currentVersion: String, to url: URL
  ) throws {
    try ModelPackageWriter(url: url, versions: versions, currentVersion: currentVersion).write()
  }
}

/// Writes the files of a model, each read back before any of them is put in its place.
private struct ModelPackageWriter {
  let url: URL
  let versions: [String: NSManagedObjectModel]
  let currentVersion: String

  func write() throws {
    guard let current = versions[currentVersion] else {
      throw error("the current version “\(currentVersion)” is not among those to write")
    }
    if let name = versions.keys.first(where: { $0.isEmpty || $0.contains("/") }) {
      throw error("“\(name)” cannot be the name of a version, which is the name of a file")
    }
    try package(of: current).write(to: url)
  }

  private func package(of current: NSManagedObjectModel) throws -> WrittenPackage {
    switch url.pathExtension.lowercased() {
    case "xcdatamodel": WrittenPackage(files: ["contents": Data(try text(of: current).utf8)])
    case "mom": WrittenPackage(files: ["": try archive(of: current)])
    case "xcdatamodeld":
      try WrittenPackage(
        sources: try versions.mapValues { try text(of: $0) }, currentVersion: currentVersion)
    case "momd":
      try WrittenPackage(
        compiled: try versions.mapValues { try archive(of: $0) },
        hashes: versions.mapValues(\.entityVersionHashesByName), currentVersion: currentVersion)
    default:
      throw error(
        "no form of models has this extension: expected xcdatamodel, xcdatamodeld, mom or momd")
    }
  }

  private func text(of model: NSManagedObjectModel) throws -> String {
    try check(model.versionIdentifiers)
    let text = try DocumentBuilder.document(of: model, file: url.path).contents()
    let read: NSManagedObjectModel
    do {
      read = try ModelBuilder.model(of: ModelDocument(data: Data(text.utf8), file: url.path))
    } catch { throw self.error("it would not be readable: \(error)") }
    try check(
      ModelFacts(of: model, withoutPropertyIndexes: true),
      ModelFacts(of: read, withoutPropertyIndexes: true), "XML")
    return text
  }

  private func check(_ identifiers: Set<AnyHashable>) throws {
    guard identifiers.count > 1 || identifiers.contains(where: { !($0.base is String) }) else {
      return
    }
    throw error("XML has room for one version identifier that is a string")
  }

  private func archive(of model: NSManagedObjectModel) throws -> Data {
    let data = try model.compiledData()
    let read = try NSManagedObjectModel(archivedData: data, file: url.path)
    try check(ModelFacts(of: model), ModelFacts(of: read), "a compiled model")
    return data
  }

  private func check(_ wanted: ModelFacts, _ read: ModelFacts, _ form: String) throws {
    guard let place = wanted.firstDifference(from: read) else { return }
    let value = wanted.facts[place].map { "\($0)" } ?? "none"
    throw ModelFileError(
      file: url.path, entity: place.entity, property: place.property,
      problem: "\(form) cannot hold \(place.fact) as it is (\(value.prefix(200)))")
  }

  private func error(_ problem: String) -> ModelFileError {
    ModelFileError(file: url.path, problem: problem)
  }
}
