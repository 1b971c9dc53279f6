#if PortedSources
  import SourcePorter
  import Testing

  /// What the suites of rewriting begin with.
  protocol RewritingSuite {}

  extension RewritingSuite {
    /// The copy without what is put around it.
    func body(_ source: String, _ conditions: Set<String> = []) -> String {
      let text = SourcePorter.port([("/App/File.swift", source)], conditions: conditions)[0].text
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let start = lines.firstIndex { $0.hasPrefix("#sourceLocation(file") }! + 1
      let end = lines.firstIndex { $0 == "#sourceLocation()" } ?? lines.count
      return lines[start..<end].joined(separator: "\n")
    }

    func expect(_ rewriting: Rewriting, _ conditions: Set<String> = []) {
      let found = body(rewriting.source, conditions).split { $0 == " " || $0 == "\n" }.joined(
        separator: " ")
      #expect(found == rewriting.result.split { $0 == " " || $0 == "\n" }.joined(separator: " "))
    }
  }
#endif
