#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// A declaration macro that expands to nothing; `@Model` reads its arguments.
  public protocol KeyPathMacro: DeclarationMacro {
    /// The name of the macro, without `#`.
    static var name: String { get }
    /// The functions that may enclose an array of key paths.
    static var functions: Set<String> { get }
  }

  extension KeyPathMacro {
    /// Expands to nothing. Diagnoses arguments that are not arrays of key path literals.
    public static func expansion(
      of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      if node.arguments.isEmpty { complain(at: node, in: context) }
      for argument in node.arguments {
        if let wrong = firstThatIsNoKeyPath(argument.expression) {
          complain(at: wrong, in: context)
        }
      }
      return []
    }

    private static func complain(
      at node: some SyntaxProtocol, in context: some MacroExpansionContext
    ) {
      let arrays =
        functions.isEmpty ? "[\\.a], [\\.b, \\.c]" : "[\\.a], [\\.b, \\.c] or .binary([\\.a])"
      context.diagnose(Complaint.notKeyPaths(name, arrays: arrays).at(node))
    }

    private static func firstThatIsNoKeyPath(_ argument: ExprSyntax) -> ExprSyntax? {
      if let call = argument.as(FunctionCallExprSyntax.self), let function = argument.calledName,
        functions.contains(function), call.arguments.count == 1, let only = call.arguments.first
      {
        return firstThatIsNoKeyPath(only.expression)
      }
      guard let array = argument.as(ArrayExprSyntax.self), !array.elements.isEmpty else {
        return argument
      }
      return array.elements.lazy.map(\.expression).first { !$0.is(KeyPathExprSyntax.self) }
    }
  }

  /// The macro `#Unique`.
  open class UniqueMacro: KeyPathMacro {
    /// The name of the macro, without `#`.
    public static let name = "Unique"
    /// None: arrays stand alone.
    public static let functions: Set<String> = []
  }

  /// The macro `#Index`.
  open class IndexMacro: KeyPathMacro {
    /// The name of the macro, without `#`.
    public static let name = "Index"
    /// The kinds of an index.
    public static let functions: Set<String> = ["binary", "rtree"]
  }
#endif
