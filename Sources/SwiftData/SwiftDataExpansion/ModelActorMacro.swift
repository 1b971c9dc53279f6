#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The macro `@ModelActor`.
  open class ModelActorMacro {}

  extension ModelActorMacro: MemberMacro {
    /// The executor, the container, and an initialiser if the actor needs none of its own.
    public static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let actor = declaration.as(ActorDeclSyntax.self) else {
        context.diagnose(Complaint.notAnActor(declaration.nameText).at(node))
        return []
      }
      let words = Set(actor.modifiers.map(\.name.text))
      let access =
        words.contains("public") ? "public " : words.contains("package") ? "package " : ""
      let properties: [DeclSyntax] = [
        "\(raw: access)nonisolated let modelExecutor: any SwiftData.ModelExecutor",
        "\(raw: access)nonisolated let modelContainer: SwiftData.ModelContainer",
      ]
      guard !actor.makesItself else { return properties }
      return properties + [
        """
        \(raw: access)init(modelContainer: SwiftData.ModelContainer) {
          let modelContext = SwiftData.ModelContext(modelContainer)
          self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
          self.modelContainer = modelContainer
        }
        """
      ]
    }
  }

  extension ModelActorMacro: ExtensionMacro {
    /// The conformance to `ModelActor`.
    public static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
      return [
        try ExtensionDeclSyntax(
          "extension \(raw: type.trimmedDescription): SwiftData.ModelActor {}")
      ]
    }
  }

  extension ActorDeclSyntax {
    /// Whether the actor declares this initialiser, or needs one of its own because a property has
    /// no initial value.
    fileprivate var makesItself: Bool {
      memberBlock.members.contains { member in
        if let initializer = member.decl.as(InitializerDeclSyntax.self) {
          let parameters = initializer.signature.parameterClause.parameters
          return parameters.map(\.firstName.text) == ["modelContainer"]
        }
        guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isInstance else {
          return false
        }
        return variable.bindings.contains {
          $0.initializer == nil && !$0.isComputed && !$0.isOptional
        }
      }
    }
  }
#endif
