public import Foundation
import ModelDocuments

/// The style of generated managed object classes.
///
/// The build plugin reads it from a file `ManagedObjects.json` in the target's folder:
///
///     { "flavour": "idiomatic", "access": "internal", "namespace": "Model" }
public struct CodeOptions: Equatable, Sendable {
  /// The API of the classes.
  public enum Flavour: String, CaseIterable, Sendable {
    /// The files that Xcode writes for Apple's platforms, with `@objc` and `@NSManaged`.
    case xcode
    /// Xcode's API, with accessors that need no Objective-C.
    case standard
    /// Precise types: nil only for optional properties, Swift's sets and arrays, enumerations.
    case idiomatic
  }

  /// The access level of the classes.
  public enum Access: String, CaseIterable, Sendable {
    case `public`, `internal`
  }

  /// The API of the classes.
  public var flavour: Flavour
  /// The access level of the classes.
  public var access: Access
  /// The enumeration that encloses the classes; nil for classes at the top level.
  public var namespace: String?

  /// Creates options from values.
  public init(
    flavour: Flavour = .standard, access: Access = .public, namespace: String? = nil
  ) {
    self.flavour = flavour
    self.access = access
    self.namespace = namespace
  }

  /// Reads options from a `ManagedObjects.json`.
  /// - Throws: `ModelFileError` if the file is invalid or has an unknown key or value; the message
  ///   lists the known ones.
  public init(contentsOf file: URL) throws {
    self.init()
    func error(_ problem: String) -> ModelFileError {
      ModelFileError(file: file.path, problem: problem)
    }
    let content: Any
    do {
      content = try JSONSerialization.jsonObject(with: ModelPackage.contents(of: file))
    } catch let problem as ModelFileError {
      throw problem
    } catch {
      throw ModelFileError(
        file: file.path, problem: "this is not JSON: \(error.localizedDescription)")
    }
    guard let table = content as? [String: String] else {
      throw error("expected an object of texts: {\"flavour\": \"idiomatic\"}")
    }
    for (key, value) in table.sorted(by: { $0.key < $1.key }) {
      guard try set(key, value: value, error: error) else {
        throw error("the key “\(key)” is unknown; expected flavour, access or namespace")
      }
    }
  }

  /// Sets an option. Returns false if there is none of this name.
  private mutating func set(
    _ key: String, value: String, error: (String) -> ModelFileError
  ) throws -> Bool {
    switch key {
    case "flavour": flavour = try Self.choice(of: key, value, error: error)
    case "access": access = try Self.choice(of: key, value, error: error)
    case "namespace":
      guard SwiftName.isIdentifier(value) else {
        throw error("the namespace “\(value)” cannot stand in Swift code")
      }
      namespace = value
    default: return false
    }
    return true
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    of key: String, _ value: String, error: (String) -> ModelFileError
  ) throws -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: value) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw error("the \(key) “\(value)” is unknown; expected one of: \(known)")
  }

  /// The access modifier before a declaration, with a space; empty for `internal`.
  var modifier: String { access == .public ? "public " : "" }
}
