import Foundation
import Synchronization

/// The models that are compiled into the program, in their current versions.
///
/// The build plugin generates calls of `register` that run before `main`.
/// `NSPersistentContainer(name:)` and `NSManagedObjectModel.mergedModel(from: nil)` look up models
/// here. Other versions are in the `.momd` in the target's resources. Safe to use from any thread.
public enum EmbeddedModels {
  private struct Entry {
    let name: String
    let module: String
    let version: String
    let document: StaticString
  }

  private static let entries = Mutex<[Entry]>([])

  /// Registers the current version of a model by its document, the file `contents` of an
  /// `.xcdatamodel`.
  ///
  /// Called by generated code. A second registration with equal name and module replaces the first.
  public static func register(
    name: String, module: String, version: String, document: StaticString
  ) {
    let entry = Entry(name: name, module: module, version: version, document: document)
    entries.withLock { list in
      list.removeAll { $0.name == name && $0.module == module }
      list.append(entry)
    }
  }

  /// The names of the models, in the order of registration.
  public static var names: [String] { entries.withLock { $0.map(\.name) } }

  /// A new copy of the model with a name; nil if there is none. Of several models with that name,
  /// prefers that of the given module, then the first.
  package static func model(
    named name: String, preferring module: String? = nil
  ) throws -> NSManagedObjectModel? {
    let namesakes = entries.withLock { $0.filter { $0.name == name } }
    let entry = namesakes.first { $0.module == module } ?? namesakes.first
    return try entry.map { try model(of: $0) }
  }

  /// The modules that have a model with this name, in the order of registration.
  static func modules(ofModel name: String) -> [String] {
    entries.withLock { $0.filter { $0.name == name }.map(\.module) }
  }

  /// New copies of all models.
  package static func models() throws -> [NSManagedObjectModel] {
    try entries.withLock { $0 }.map { try model(of: $0) }
  }

  private static func model(of entry: Entry) throws -> NSManagedObjectModel {
    let place = "\(entry.module)/\(entry.name) (embedded), version \(entry.version)"
    let data = entry.document.withUTF8Buffer { Data($0) }
    return try ModelBuilder.model(of: ModelDocument(data: data, file: place))
  }
}
