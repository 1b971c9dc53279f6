import CoreData
import ModelDocuments

/// The origin of the model that a store is read with.
package enum ModelOrigin: Codable, Equatable, Sendable {
  /// The copy in the SQLite store.
  case cache
  /// The copy in the store on a server.
  case server
  case file(path: String, version: String)
  /// Derived from tables: only names and types of columns are known.
  case guessed

  package var text: String {
    switch self {
    case .cache: "the store's own (Z_MODELCACHE)"
    case .server: "the store's own (_coredata_store)"
    case .file(let path, let version): "\(path), version “\(version)”"
    case .guessed: "guessed from the tables; name the real one with --model"
    }
  }
}

/// Reads models from `.xcdatamodeld`, `.xcdatamodel`, `.momd` and `.mom`, and from stores that
/// contain one: a SQLite store or one on a server.
package enum ModelSource {
  package struct Version {
    package let name: String
    package let model: NSManagedObjectModel
    package let isCurrent: Bool
  }

  /// All versions of a model, ordered by name.
  package static func versions(at url: URL) throws -> [Version] {
    guard url.isFileURL else {
      let name = url.path.split(separator: "/").last.map(String.init) ?? url.place
      return [try Version(name: name, model: ofStore(url), isCurrent: true)]
    }
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw ToolError(.noInput, description: "There is no model at \(url.path).")
    }
    guard ["xcdatamodeld", "xcdatamodel", "momd", "mom"].contains(url.pathExtension.lowercased())
    else {
      return [try Version(name: url.lastPathComponent, model: ofStore(url), isCurrent: true)]
    }
    let package = ModelPackage(url: url)
    // A folder may lack the file that names the current version.
    let current = try? package.currentVersionName()
    return try package.versionNames().map {
      Version(name: $0, model: try package.model(version: $0), isCurrent: $0 == current)
    }
  }

  /// The version of this name, or the current one for nil. Throws a usage error for an unknown one.
  package static func version(at url: URL, named name: String?) throws -> Version {
    let versions = try versions(at: url)
    let found = versions.first { name == nil ? $0.isCurrent : $0.name == name }
    if let found = found ?? (versions.count == 1 && name == nil ? versions.first : nil) {
      return found
    }
    if versions.isEmpty {
      throw ToolError(
        .badData,
        description:
          "The model at \(url.place) has no version: expected a folder with one .xcdatamodel or more. "
          + "“coredata model new” makes a model.")
    }
    let names = versions.map { "“\($0.name)”" }.joined(separator: ", ")
    throw ToolError(
      .usage,
      description: name.map { "The model at \(url.place) has no version “\($0)”; it has \(names)." }
        ?? "The model at \(url.place) does not say which version is current: choose one of \(names) with "
        + "--model-version.")
  }

  private static func ofStore(_ url: URL) throws -> NSManagedObjectModel {
    guard [.sqlite, .postgreSQL].contains(try StoreFormat(at: url)) else {
      throw ToolError(
        .badData,
        description:
          "\(url.path) keeps no model of itself: stores of SQLite and of servers do. Name a model's file."
      )
    }
    return try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
  }
}

extension NSManagedObjectModel {
  /// Makes the model independent of the application's code: all objects are of the class
  /// `NSManagedObject`, and transformable values stay archives. Version hashes do not change.
  func forgetClasses() {
    for entity in entities {
      entity.managedObjectClassName = "NSManagedObject"
      for case let attribute as NSAttributeDescription in entity.properties
      where attribute.attributeType == .transformableAttributeType {
        attribute.valueTransformerName = RawValueTransformer.name
        attribute.attributeValueClassName = nil
      }
    }
  }
}
