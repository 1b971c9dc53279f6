import Foundation
import Synchronization

/// The models that are compiled into the program.
///
/// The build plugin generates calls of `register` that run before `main`.
/// `NSPersistentContainer(name:)` and `NSManagedObjectModel.mergedModel(from: nil)` find models
/// here. Safe to use from any thread.
public enum EmbeddedModels {
  private struct Entry {
    let name: String
    let module: String
    let currentVersion: String
    /// Compiled models (`.mom`) in base64, by the names of their versions.
    let versions: [String: String]
  }

  private static let entries = Mutex<[Entry]>([])

  /// Makes a model known, with all its versions: compiled models (`.mom`) in base64.
  ///
  /// Called by generated code. A second registration of the same name and module takes the place of
  /// the first.
  public static func register(
    name: String, module: String, currentVersion: String, versions: [String: String]
  ) {
    let entry = Entry(
      name: name, module: module, currentVersion: currentVersion, versions: versions)
    entries.withLock { list in
      list.removeAll { $0.name == name && $0.module == module }
      list.append(entry)
    }
  }

  /// The names of the models, in the order of registration.
  public static var names: [String] { entries.withLock { $0.map(\.name) } }

  /// A new copy of the current version of the first model of a name; nil when there is none.
  package static func model(named name: String) throws -> NSManagedObjectModel? {
    guard let entry = entries.withLock({ $0.first { $0.name == name } }) else { return nil }
    return try model(of: entry, version: entry.currentVersion)
  }

  /// New copies of the current versions of all models.
  package static func currentModels() throws -> [NSManagedObjectModel] {
    try entries.withLock { $0 }.map { try model(of: $0, version: $0.currentVersion) }
  }

  /// New copies of every version of every model, to find the one that a store was made with.
  package static func allVersions() throws -> [NSManagedObjectModel] {
    try entries.withLock { $0 }.flatMap { entry in
      try entry.versions.keys.sorted().map { try model(of: entry, version: $0) }
    }
  }

  private static func model(of entry: Entry, version: String) throws -> NSManagedObjectModel {
    let place = "\(entry.module)/\(entry.name) (embedded), version \(version)"
    guard let text = entry.versions[version], let data = Data(base64Encoded: text) else {
      throw ModelFileError(file: place, problem: "this version is missing")
    }
    return try NSManagedObjectModel(archivedData: data, file: place)
  }
}
