import Foundation

/// A class of the target whose objects are managed, as the compiler's symbol graph describes it.
struct ManagedClass {
  /// The name with those of the types around it.
  var path: [String]
  var isPublic: Bool
  var place: SourcePlace
  var members: [Member] = []
  /// Properties of the class's own making, which key-value coding can read through the class's
  /// registration.
  var readable: [String] = []

  var name: String { path.joined(separator: ".") }

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
    let isPublic: Bool
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
}
