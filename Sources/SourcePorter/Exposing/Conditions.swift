#if PortedSources
  import SwiftSyntax

  // What stands in an `#if` is there under its condition alone, and so is what is written about it elsewhere.

  extension SyntaxProtocol {
    /// The condition of the `#if`s between the node and the type or the file around it; nil where there is none.
    func condition(text: (ExprSyntax) -> String) -> String? {
      var parts: [String] = []
      var current = parent
      while let node = current, !node.is(MemberBlockSyntax.self) {
        if let clause = node.as(IfConfigClauseSyntax.self) {
          parts.insert(contentsOf: clause.conditions(text: text), at: 0)
        }
        current = node.parent
      }
      return parts.isEmpty ? nil : parts.joined(separator: " && ")
    }
  }

  extension IfConfigClauseSyntax {
    /// Its own condition, and that those before it do not hold.
    fileprivate func conditions(text: (ExprSyntax) -> String) -> [String] {
      let all = parent?.as(IfConfigClauseListSyntax.self) ?? []
      return all.prefix { $0.id != id }.compactMap(\.condition).map { "!(\(text($0)))" }
        + (condition.map { ["(\(text($0)))"] } ?? [])
    }
  }

  extension SourceRewriter {
    /// A statement or a declaration about a node, under the node's condition.
    func conditional(_ text: String, on node: some SyntaxProtocol) -> String {
      node.condition { edits.text(of: $0.bytes, keepsLines: false) }
        .map { "\n#if \($0)\n\(text)\n#endif\n" } ?? text
    }

    /// Text that is put before a token: what follows keeps its line.
    func keepingLines(_ text: String, before token: TokenSyntax) -> String {
      guard text.contains("\n") else { return text }
      let line = source.line(of: token.positionAfterSkippingLeadingTrivia)
      return text + "\n#sourceLocation(file: \(Literal.text(source.path)), line: \(line))\n"
    }
  }

  extension [String] {
    /// Statements or declarations behind each other; those with a condition have lines of their own.
    var joined: String {
      reduce(into: "") { text, next in
        let isApart = text.isEmpty || text.hasSuffix("\n") || next.hasPrefix("\n")
        text += (isApart ? "" : "; ") + next
      }
    }
  }
#endif
