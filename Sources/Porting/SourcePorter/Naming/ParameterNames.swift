#if PortedSources
  import SwiftParser
  import SwiftSyntax

  /// Finds parameter names in function types, as in `(_ error: Error?) -> Void`. Swift accepts them
  /// in declarations, but not in an expression that denotes the type.
  enum ParameterNames {
    static func ranges(in type: String) -> [Range<Int>] {
      guard type.contains("->") else { return [] }
      let finder = Finder(viewMode: .sourceAccurate)
      finder.walk(Parser.parse(source: "let _: " + type))
      let offset = "let _: ".utf8.count
      return finder.ranges.map { $0.lowerBound - offset..<$0.upperBound - offset }
    }

    private final class Finder: SyntaxVisitor {
      var ranges: [Range<Int>] = []

      override func visit(_ node: FunctionTypeSyntax) -> SyntaxVisitorContinueKind {
        for parameter in node.parameters {
          guard let name = parameter.firstName else { continue }
          ranges.append(name.bytes.lowerBound..<parameter.type.bytes.lowerBound)
        }
        return .visitChildren
      }
    }
  }
#endif
