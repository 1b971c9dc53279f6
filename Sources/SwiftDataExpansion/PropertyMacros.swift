#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// Attributes that say something to `@Model` and add nothing themselves.
  public protocol PropertyMacro: PeerMacro {
    static var name: String { get }
  }

  extension PropertyMacro {
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

  /// `@Attribute`
  open class AttributeMacro: PropertyMacro { public static let name = "Attribute" }
  /// `@Relationship`
  open class RelationshipMacro: PropertyMacro { public static let name = "Relationship" }
  /// `@Transient`
  open class TransientMacro: PropertyMacro { public static let name = "Transient" }
#endif
