#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// An attribute macro that expands to nothing; `@Model` reads it.
  public protocol PropertyMacro: PeerMacro {
    /// The name of the macro, without `@`.
    static var name: String { get }
  }

  extension PropertyMacro {
    /// Expands to nothing. Diagnoses a declaration that is not a property.
    public static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      if !declaration.is(VariableDeclSyntax.self) {
        context.diagnose(Complaint.notAProperty(name).at(node))
      }
      return []
    }
  }

  /// The macro `@Attribute`.
  open class AttributeMacro: PropertyMacro { public static let name = "Attribute" }
  /// The macro `@Relationship`.
  open class RelationshipMacro: PropertyMacro { public static let name = "Relationship" }
  /// The macro `@Transient`.
  open class TransientMacro: PropertyMacro { public static let name = "Transient" }
#endif
