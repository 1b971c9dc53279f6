#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// Attributes that say something to `@Model` and add nothing themselves.
  protocol PropertyMacro: PeerMacro {
    static var name: String { get }
  }

  extension PropertyMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      if !declaration.is(VariableDeclSyntax.self) {
        context.diagnose(Complaint.notAProperty(name).at(node))
      }
      return []
    }
  }

  /// `@Attribute`
  struct AttributeMacro: PropertyMacro { static let name = "Attribute" }
  /// `@Relationship`
  struct RelationshipMacro: PropertyMacro { static let name = "Relationship" }
  /// `@Transient`
  struct TransientMacro: PropertyMacro { static let name = "Transient" }
#endif
