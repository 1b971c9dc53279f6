#if PortedSources
  import SwiftOperators
  import SwiftParser
  import SwiftSyntax

  /// Rewrites sources that need Objective-C so that they compile without it and behave as before.
  ///
  /// Only constructs that need Objective-C are changed, within their lines. What cannot be
  /// rewritten stays unchanged and gets a remark.
  public enum SourcePorter {
    /// Ports a single source; declarations of other files are not known.
    public static func port(source: String, path: String) -> PortedSource {
      let parsed = ParsedSource(text: source, path: path)
      return parsed.ported(knowing: ProjectFacts([parsed.facts]), conditions: [])
    }

    /// Ports the sources of a module together; results are in their order.
    ///
    /// - Parameter without: declarations to remove from copies, as `Book.cover`, by the paths of
    ///   their files.
    public static func port(
      _ sources: [(path: String, text: String)], conditions: Set<String> = [],
      without: [String: [String]] = [:]
    ) -> [PortedSource] {
      let parsed = sources.map {
        ParsedSource(text: $0.text, path: $0.path, without: without[$0.path] ?? [])
      }
      let facts = ProjectFacts(parsed.map(\.facts), conditions: conditions)
      return parsed.map { $0.ported(knowing: ProjectFacts(facts), conditions: conditions) }
    }
  }

  /// A source file as a syntax tree.
  struct ParsedSource {
    let path: String
    let bytes: [UInt8]
    let tree: SourceFileSyntax
    let locations: SourceLocationConverter

    /// Names of declarations to remove that do not exist.
    let unknown: [String]
    /// Conditions that hold in this source alone.
    private let conditions: Set<String>
    /// Whether bodies are left out, which say so in words of the support library.
    let lacksBodies: Bool

    init(text original: String, path: String, without names: [String] = []) {
      self.path = path
      lacksBodies = names.contains { $0.hasPrefix("in ") }
      conditions = Set(names.filter { $0.hasPrefix("if ") }.map { String($0.dropFirst(3)) })
      let names = names.filter { !$0.hasPrefix("if ") }
      let text: String
      (text, unknown) =
        names.isEmpty ? (original, []) : Omission.rest(of: original, without: names)
      bytes = Array(text.utf8)
      let parsed = Parser.parse(source: text)
      // Operators that the source declares have unknown precedence, so their sequences stay flat.
      // The compiler folds them later.
      let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
      tree = folded.as(SourceFileSyntax.self) ?? parsed
      locations = SourceLocationConverter(fileName: path, tree: tree)
    }

    /// The facts that other files need about this one.
    var facts: SourceFacts { FactsReader.facts(of: self) }

    func ported(knowing project: ProjectFacts, conditions: Set<String>) -> PortedSource {
      SourceRewriter(
        source: self, project: project, conditions: conditions.union(self.conditions)
      ).ported()
    }

    /// The file's name as a part of an identifier.
    var identifier: String {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return String(name.prefix { $0 != "." }.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    func line(of position: AbsolutePosition) -> Int { locations.location(for: position).line }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  }

  extension SyntaxProtocol {
    /// The node's range in the file, without surrounding white space and comments.
    var bytes: Range<Int> {
      positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }
  }
#endif
