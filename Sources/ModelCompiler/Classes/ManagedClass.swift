import Foundation

/// A class of the target whose objects are managed.
struct ManagedClass {
  /// The name with those of the types around it.
  var path: [String]
  /// Whether other modules may see it.
  var isExported: Bool
  var members: [Member] = []
  /// Properties of the class's own making, which key-value coding can read through the class's
  /// registration.
  var readable: [String] = []
  /// Its methods for checking values.
  var validations: [Validation] = []
  /// What it says that properties depend on, one by one.
  var keyPathsAffecting: [KeyPathsAffecting] = []
  /// Whether it declares no initializer but convenience ones.
  var inheritsInitializer = true

  var name: String { path.map(SwiftName.escaped).joined(separator: ".") }

  /// A method that checks the values of a key.
  struct Validation {
    let key: String
    let function: String
    let isThrowing: Bool
  }

  /// A method or a property of the class that names the key paths on which a key depends.
  struct KeyPathsAffecting {
    let key: String
    let name: String
    let isFunction: Bool
  }

  /// A property or function that is declared `@NSManaged`.
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
    /// The compiler's own name of the declaration, `$s…`.
    let symbol: String
    let isExported: Bool
    /// Those that its types come from.
    let modules: Set<String>
    let place: SourcePlace
  }
}

/// A place in a source file.
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
