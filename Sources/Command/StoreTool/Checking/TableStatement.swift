/// The clauses of a CREATE TABLE statement: those of its columns, and those of the table.
///
///     CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, FOREIGN KEY (…) REFERENCES … )
///                          └ a column ────────────┘  └ a clause of the table ───┘
struct TableStatement {
  private enum Token: Equatable {
    /// A word without quotes, in upper case.
    case word(String)
    /// A quoted name or a string literal.
    case quoted
    case symbol(Character)
  }

  /// The tokens of each column, without its name, and of each clause of the table.
  private let clauses: [[Token]]

  init(_ sql: String) {
    let tokens = Self.tokens(of: sql)
    guard let open = tokens.firstIndex(of: .symbol("(")),
      !tokens.prefix(open).contains(.word("VIRTUAL"))
    else {
      clauses = []
      return
    }
    var (parts, depth): ([[Token]], Int) = ([[]], 0)
    scan: for token in tokens[(open + 1)...] {
      switch token {
      case .symbol("("): depth += 1
      case .symbol(")") where depth == 0: break scan
      case .symbol(")"): depth -= 1
      case .symbol(",") where depth == 0:
        parts.append([])
        continue
      default: break
      }
      parts[parts.count - 1].append(token)
    }
    clauses = parts.map { part in
      if case .word(let first)? = part.first, Self.ofTables.contains(first) { return part }
      return Array(part.dropFirst())
    }
  }

  private static let ofTables: Set = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

  /// The clauses that Core Data never writes.
  var foreignClauses: [String] {
    ["FOREIGN KEY", "NOT NULL", "DEFAULT", "CHECK"].filter { clause in
      let words = clause.split(separator: " ").map { Token.word(String($0)) }
      return clauses.contains { part in
        part.indices.contains { part[$0...].starts(with: words) }
      }
    }
  }

  private static func tokens(of sql: String) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(sql)
    while let first = rest.first {
      if let close = quotes[first] {
        rest = rest.dropFirst()
        while let end = rest.firstIndex(of: close) {
          rest = rest[rest.index(after: end)...]
          // A doubled quote is a quote inside the quoted text.
          if rest.first == close { rest = rest.dropFirst() } else { break }
        }
        tokens.append(.quoted)
      } else if first.isLetter || first.isNumber || first == "_" || first == "$" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        tokens.append(.word(word.uppercased()))
        rest = rest.dropFirst(word.count)
      } else {
        if !first.isWhitespace { tokens.append(.symbol(first)) }
        rest = rest.dropFirst()
      }
    }
    return tokens
  }

  private static let quotes: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
}
