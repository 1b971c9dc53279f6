import Foundation

/// The output of `-emit-symbol-graph`, as far as it is needed.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable {
      let precise: String
    }

    struct Location: Decodable {
      struct Position: Decodable {
        let line: Int
      }

      let uri: String
      let position: Position
    }

    let identifier: Identifier
    let pathComponents: [String]
    let accessLevel: String
    let location: Location?

    /// Whether the linker sees the symbol outside of its module.
    var isExported: Bool { ["public", "open", "package"].contains(accessLevel) }

    var isPrivate: Bool { accessLevel == "private" || accessLevel == "fileprivate" }

    /// The mangled symbol; the identifier has another prefix.
    var name: String { "$s" + identifier.precise.dropFirst(2) }

    /// The file's name and the line, from 1.
    var place: (file: String, line: Int)? {
      location.map { location in
        let path = URL(string: location.uri)?.path ?? location.uri
        return ((path as NSString).lastPathComponent, location.position.line + 1)
      }
    }
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}
