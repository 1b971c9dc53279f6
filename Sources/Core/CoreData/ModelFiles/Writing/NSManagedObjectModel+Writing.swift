import Foundation

extension NSManagedObjectModel {
  /// Writes the model in the form given by the extension of the URL, readable by Xcode or Apple's
  /// framework.
  ///
  ///     X.xcdatamodel     XML, as Xcode edits it
  ///     X.xcdatamodeld    XML as the only version, with the name of the file
  ///     X.mom             a compiled model
  ///     X.momd            a compiled model as the only version, with version hashes and checksum
  ///
  /// Equal models have equal bytes; entities and properties are sorted by name. A file at the URL
  /// is replaced once the new one is complete.
  ///
  /// Throws a ``ModelFileError`` with the entity and property if the form cannot represent the
  /// model. XML cannot represent several version identifiers or one that is not a string, user info
  /// that does not consist of strings, default values without a text form, validation other than
  /// limits and a pattern, and sort descriptors of a fetch request. XML adds an index named like
  /// the property for each index of one property, as Xcode's compiler does. Only XML has hints for
  /// generated code. No form has localized texts.
  ///
  /// Not part of Apple's API; there, Xcode writes models.
  public final func write(to url: URL) throws {
    try Self.write(
      [url.deletingPathExtension().lastPathComponent: self],
      currentVersion: url.deletingPathExtension().lastPathComponent, to: url)
  }

  /// Writes the versions of a model, given by name, as an `.xcdatamodeld` or a `.momd`; see
  /// ``write(to:)``.
  ///
  /// Also throws a ``ModelFileError`` if the current version is not one of them.
  public class func write(
    _ versions: [String: NSManagedObjectModel], currentVersion: String, to url: URL
  ) throws {
    try ModelPackageWriter(url: url, versions: versions, currentVersion: currentVersion).write()
  }
}

/// Writes the files of a model. Reads each back before any of them is moved to the URL.
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
      read: ModelFacts(of: read, withoutPropertyIndexes: true), form: "XML")
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
    try check(ModelFacts(of: model), read: ModelFacts(of: read), form: "a compiled model")
    return data
  }

  private func check(_ wanted: ModelFacts, read: ModelFacts, form: String) throws {
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
