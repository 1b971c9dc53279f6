import Foundation

/// A managed object class of the target.
struct ManagedClass {
  /// The name, preceded by the names of enclosing types.
  var path: [String]
  /// Whether other modules can see the class.
  var isExported: Bool
  var members: [Member] = []
  /// Properties outside the model that key-value coding can read through the class's registration.
  var readable: [Readable] = []
  /// Methods that validate values of a key.
  var validations: [Validation] = []
  /// Members that name the key paths on which a property depends.
  var keyPathsAffecting: [KeyPathsAffecting] = []
  /// Whether the class declares no designated initializers.
  var inheritsInitializer = true

  var name: String { path.map(SwiftName.escaped).joined(separator: ".") }

  /// A property without `@NSManaged`.
  struct Readable: Hashable {
    let name: String
    /// Whether its setter does not set its own key.
    let isSettable: Bool
  }

  /// A method that validates the values of a key.
  struct Validation {
    let key: String
    let function: String
    let isThrowing: Bool
  }

  /// A static method or property that names the key paths on which a key depends.
  struct KeyPathsAffecting {
    let key: String
    let name: String
    let isFunction: Bool
  }

  /// A property or function with `@NSManaged`.
  struct Member {
    enum Kind {
      case property(type: String)
      case function(parameters: [Parameter])
    }

    struct Parameter {
      let label: String
      let type: String
    }

    let name: String
    let kind: Kind
    /// The mangled symbol of the declaration, `$s…`.
    let symbol: String
    let isExported: Bool
    /// The modules that its types come from.
    let modules: Set<String>
    let place: SourcePlace
  }
}

/// A location in a source file.
struct SourcePlace: Hashable {
  let file: String
  let line: Int

  func error(_ problem: String) -> String {
    "\(file):\(line):1: error: \(problem)"
  }

  func warning(_ problem: String) -> String {
    "\(file):\(line):1: warning: \(problem)"
  }
}
