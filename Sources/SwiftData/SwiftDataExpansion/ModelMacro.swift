#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The macro `@Model`.
  open class ModelMacro {}

  extension ModelMacro: MemberMacro {
    /// The members of `ModelClass`. Diagnoses mistakes in the class.
    public static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let source = declaration.as(ClassDeclSyntax.self) else {
        context.diagnose(
          Complaint.notAClass(declaration.kindInWords, name: declaration.nameText).at(node))
        return []
      }
      let complaints = ModelCheck(source).complaints
      complaints.forEach(context.diagnose)
      return ModelClass(source, isModelAlready: !protocols.contains(where: \.isPersistentModel))
        .members
    }
  }

  extension ModelMacro: MemberAttributeMacro {
    /// `@_PersistedProperty` for each persisted property.
    public static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
      guard declaration.is(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self),
        PersistedProperty(variable) != nil, variable.attribute("_PersistedProperty") == nil
      else { return [] }
      return ["@_PersistedProperty"]
    }
  }

  extension ModelMacro: ExtensionMacro {
    /// The conformances to `PersistentModel` and `Observable`, and the unavailable one to
    /// `Sendable`.
    public static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard declaration.is(ClassDeclSyntax.self) else { return [] }
      // Nonisolated, for modules whose default isolation is the main actor.
      let model = "extension \(type.trimmedDescription): nonisolated"
      let name = type.trimmedDescription
      let simpleName = declaration.nameText
      return try protocols.compactMap { conformance in
        switch conformance.lastName {
        case "PersistentModel":
          try ExtensionDeclSyntax("\(raw: model) SwiftData.PersistentModel {}")
        case "Observable":
          try ExtensionDeclSyntax("\(raw: model) Observation.Observable {}")
        case "Sendable":
          try ExtensionDeclSyntax(
            """
            @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use \(raw: simpleName)'s persistentModelID instead.")
            extension \(raw: name): Sendable {}
            """)
        default: nil
        }
      }
    }
  }

  extension TypeSyntax {
    var lastName: String {
      self.as(MemberTypeSyntax.self)?.name.text ?? self.as(IdentifierTypeSyntax.self)?.name.text
        ?? trimmedDescription
    }

    fileprivate var isPersistentModel: Bool { lastName == "PersistentModel" }
  }

  extension DeclGroupSyntax {
    var nameText: String { asProtocol((any NamedDeclSyntax).self)?.name.text ?? "" }

    fileprivate var kindInWords: String {
      switch kind {
      case .structDecl: "a struct"
      case .enumDecl: "an enum"
      case .actorDecl: "an actor"
      case .protocolDecl: "a protocol"
      default: "an extension"
      }
    }
  }
#endif
