#if PortedSources
  import SwiftOperators
  import SwiftParser
  import SwiftSyntax

  /// Rewrites sources that need Objective-C so that they compile without it and behave as before.
  ///
  /// Only what Objective-C is needed for is touched, within its line. What cannot be rewritten is left as it is,
  /// with a remark.
  public enum SourcePorter {
    /// Ports a source by itself: what is declared in other files is not known.
    public static func port(source: String, path: String) -> PortedSource {
      let parsed = ParsedSource(text: source, path: path)
      return parsed.ported(knowing: ProjectFacts([parsed.facts]), conditions: [])
    }

    /// Ports sources that know each other, in their order.
    ///
    /// - Parameter without: Declarations that copies do without, as `Book.cover`, by the paths of their files.
    public static func port(
      _ sources: [(path: String, text: String)], conditions: Set<String> = [],
      without: [String: [String]] = [:]
    ) -> [PortedSource] {
      let parsed = sources.map {
        ParsedSource(text: $0.text, path: $0.path, without: without[$0.path] ?? [])
      }
      let facts = ProjectFacts(parsed.map(\.facts))
      return parsed.map { $0.ported(knowing: ProjectFacts(facts), conditions: conditions) }
    }
  }

  /// A source file as a tree.
  struct ParsedSource {
    let path: String
    let bytes: [UInt8]
    let tree: SourceFileSyntax
    let locations: SourceLocationConverter

    /// Declarations that were to be left out and are not there.
    let unknown: [String]

    init(text original: String, path: String, without names: [String] = []) {
      self.path = path
      let text: String
      (text, unknown) =
        names.isEmpty ? (original, []) : Omission.rest(of: original, without: names)
      bytes = Array(text.utf8)
      let parsed = Parser.parse(source: text)
      // An operator of the source's own, whose precedence is not known here, stays in its flat sequence: the compiler
      // has the last word.
      let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
      tree = folded.as(SourceFileSyntax.self) ?? parsed
      locations = SourceLocationConverter(fileName: path, tree: tree)
    }

    /// What other files have to know of this one.
    var facts: SourceFacts { FactsReader.facts(of: self) }

    func ported(knowing project: ProjectFacts, conditions: Set<String>) -> PortedSource {
      SourceRewriter(source: self, project: project, conditions: conditions).ported()
    }

    func line(of position: AbsolutePosition) -> Int { locations.location(for: position).line }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  }

  extension SyntaxProtocol {
    /// Where the node is in the file, without the white space and comments around it.
    var bytes: Range<Int> {
      positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }
  }
#endif
