#if PortedSources
  import SwiftSyntax

  /// Reads the declarations of a file.
  final class FactsReader: SyntaxVisitor {
    private let source: ParsedSource
    private var facts = SourceFacts()
    private var scopes: [TypeScope] = []

    static func facts(of source: ParsedSource) -> SourceFacts {
      let reader = FactsReader(source)
      reader.walk(source.tree)
      return reader.facts
    }

    private init(_ source: ParsedSource) {
      self.source = source
      super.init(viewMode: .sourceAccurate)
    }

    private func open(_ scope: TypeScope) -> SyntaxVisitorContinueKind {
      scopes.append(scope)
      facts.types.append(
        SourceFacts.TypeDeclaration(
          kind: scope.kind, name: scope.name, inherited: scope.inherited,
          isObjectiveC: scope.attributes.has("objc"), exposesMembers: scope.exposesMembers,
          isOnMainActor: scope.attributes.has("MainActor"), isGeneric: scope.isGeneric,
          isRenamed: scope.isRenamed))
      return .visitChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
      open(TypeScope(node, in: scopes.last))
    }
    override func visitPost(_ node: ClassDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
      open(TypeScope(node, in: scopes.last))
    }
    override func visitPost(_ node: StructDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
      open(TypeScope(node, in: scopes.last))
    }
    override func visitPost(_ node: EnumDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
      open(TypeScope(node, in: scopes.last))
    }
    override func visitPost(_ node: ActorDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
      open(TypeScope(node, in: scopes.last))
    }
    override func visitPost(_ node: ProtocolDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
      open(TypeScope(node, in: scopes.last))
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
      if let scope = scopes.last, node.isMember {
        noteOverride(node, modifiers: node.modifiers, in: scope)
        facts.members.append(
          SourceFacts.Member(
            owner: scope.name, name: node.name.plainText,
            labels: node.labels, objectiveCName: node.attributes.objectiveCName,
            isThrowing: node.isThrowing,
            isOptional: node.modifiers.has("optional"),
            isExposed: scope.exposes(node.attributes, modifiers: node.modifiers)))
      }
      return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
      if let scope = scopes.last, node.isMember {
        facts.members.append(
          SourceFacts.Member(
            owner: scope.name, name: "init",
            labels: node.signature.parameterClause.parameters.map { $0.firstName.plainText },
            objectiveCName: nil, isThrowing: false, isOptional: false, isExposed: false))
      }
      return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
      guard let scope = scopes.last, node.isMember else { return .visitChildren }
      noteOverride(node, modifiers: node.modifiers, in: scope)
      let isHidden = node.modifiers.has("private") || node.modifiers.has("fileprivate")
      for binding in node.bindings {
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
        facts.members.append(
          SourceFacts.Member(
            owner: scope.name, name: pattern.identifier.plainText, labels: nil,
            objectiveCName: node.attributes.objectiveCName,
            isThrowing: false, isOptional: node.modifiers.has("optional"),
            isExposed: scope.exposes(node.attributes, modifiers: node.modifiers),
            isObservable: node.modifiers.has("dynamic") && !isHidden && scope.kind == .aClass,
            type: binding.typeAnnotation?.type.plainName))
      }
      return .visitChildren
    }

    /// The `#if` condition of the declaration and of the enclosing extension.
    private func condition(of node: some SyntaxProtocol) -> String? {
      var parts: [String] = []
      var current: Syntax? = Syntax(node)
      while let declaration = current {
        if let condition = declaration.condition(text: { $0.trimmedDescription }) {
          parts.append(condition)
        }
        current = declaration.parent
        while let next = current, !next.is(ExtensionDeclSyntax.self) { current = next.parent }
      }
      return parts.isEmpty ? nil : parts.joined(separator: " && ")
    }

    /// The text of a declaration, with the access level that its extension gives it: in the class
    /// it would lose that.
    private func text(
      of node: some DeclSyntaxProtocol, _ modifiers: DeclModifierListSyntax
    ) -> String {
      var current = node.parent
      while let next = current, !next.is(ExtensionDeclSyntax.self) { current = next.parent }
      let given = current?.as(ExtensionDeclSyntax.self)?.modifiers.first {
        ["public", "package"].contains($0.name.text)
      }
      let own = ["open", "public", "package", "internal", "fileprivate", "private"]
      guard let given, let first = modifiers.first, !own.contains(where: modifiers.has) else {
        return source.text(node.bytes)
      }
      let start = first.positionAfterSkippingLeadingTrivia.utf8Offset
      return source.text(node.bytes.lowerBound..<start) + given.name.text + " "
        + source.text(start..<node.bytes.upperBound)
    }

    private func noteOverride(
      _ node: some DeclSyntaxProtocol, modifiers: DeclModifierListSyntax, in scope: TypeScope
    ) {
      guard scope.kind == .anExtension, modifiers.has("override") else { return }
      facts.overrides.append(
        SourceFacts.Override(
          owner: scope.name, text: text(of: node, modifiers),
          line: source.line(of: node.positionAfterSkippingLeadingTrivia), path: source.path,
          condition: condition(of: node)))
    }
  }
#endif
