import Foundation

/// What the compiler writes with `-emit-symbol-graph`, as far as it is needed.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable {
      let identifier: String
    }

    struct Identifier: Decodable {
      let precise: String
    }

    struct Fragment: Decodable {
      let kind: String
      let spelling: String
    }

    struct Location: Decodable {
      struct Position: Decodable {
        let line: Int
      }

      let uri: String
      let position: Position
    }

    /// Only whether it is there matters.
    struct Presence: Decodable {}

    let kind: Kind
    let identifier: Identifier
    let pathComponents: [String]
    let accessLevel: String
    let declarationFragments: [Fragment]
    let location: Location?
    let swiftGenerics: Presence?
    let availability: [Presence]?

    var declaration: String { declarationFragments.map(\.spelling).joined() }

    var isPublic: Bool { accessLevel == "public" || accessLevel == "open" }

    var isPrivate: Bool { accessLevel == "private" || accessLevel == "fileprivate" }

    var place: SourcePlace {
      let path = location.flatMap { URL(string: $0.uri)?.path } ?? location?.uri ?? "?"
      return SourcePlace(file: path, line: (location?.position.line ?? 0) + 1)
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
