#if PortedSources
  import SwiftSyntax

  // Code that refers to a conditional declaration gets the declaration's condition.

  extension SyntaxProtocol {
    /// The `#if` conditions between the node and the enclosing type or file; nil if there are none.
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
    /// The clause's condition, with the negated conditions of earlier clauses.
    fileprivate func conditions(text: (ExprSyntax) -> String) -> [String] {
      let all = parent?.as(IfConfigClauseListSyntax.self) ?? []
      return all.prefix { $0.id != id }.compactMap(\.condition).map { "!(\(text($0)))" }
        + (condition.map { ["(\(text($0)))"] } ?? [])
    }
  }

  extension SourceRewriter {
    /// The text of a statement or declaration about a node, under the node's condition.
    func conditional(_ text: String, on node: some SyntaxProtocol) -> String {
      node.condition { edits.text(of: $0.bytes, keepsLines: false) }
        .map { "\n#if \($0)\n\(text)\n#endif\n" } ?? text
    }

    /// The text, followed by a `#sourceLocation` that restores the line of the token after it.
    func keepingLines(_ text: String, before token: TokenSyntax) -> String {
      guard text.contains("\n") else { return text }
      let line = source.line(of: token.positionAfterSkippingLeadingTrivia)
      return text + "\n#sourceLocation(file: \(Literal.text(source.path)), line: \(line))\n"
    }
  }

  extension [String] {
    /// Statements or declarations in sequence; conditional ones are on lines of their own.
    var joined: String {
      reduce(into: "") { text, next in
        let isApart = text.isEmpty || text.hasSuffix("\n") || next.hasPrefix("\n")
        text += (isApart ? "" : "; ") + next
      }
    }
  }
#endif
