#if PortedSources
  import SwiftSyntax

  /// Visits a source and collects edits.
  ///
  /// Each construct of the language is rewritten in an extension of its own.
  final class SourceRewriter: SyntaxVisitor {
    let source: ParsedSource
    let project: ProjectFacts
    let conditions: Set<String>
    var edits: TextEdits
    var remarks: [Remark] = []
    /// The types that enclose the visited node, innermost last.
    var scopes: [Exposure] = []
    /// The number of types and extensions so far.
    var scopeCount = 0
    /// The names of the managed object classes in functions so far.
    var localClasses: Set<String> = []
    /// Calls that register the file's types before `main`.
    var registrations: [String] = []
    /// Declarations to append to the source.
    var tail: [String] = []
    /// The new names of private managed object classes.
    let exposedNames: [String: String]
    private var importsModules = false
    /// Whether the file uses names of Combine's, and whether it imports Combine.
    private var usesCombine = false
    private var importsCombine = false
    /// Whether the file imports XCTest.
    private(set) var isTest = false

    init(source: ParsedSource, project: ProjectFacts, conditions: Set<String>) {
      self.source = source
      self.project = project
      self.conditions = conditions
      edits = TextEdits(source.bytes)
      exposedNames = Self.exposedNames(in: source, project)
      super.init(viewMode: .sourceAccurate)
    }

    func ported() -> PortedSource {
      walk(source.tree)
      for name in source.unknown {
        remark(
          .warning, at: source.tree, reason: "there is no \(name) to leave out",
          remedy: "take it out of “without” in ported.json, or port the project again")
      }
      let needsSupport = importsModules || !edits.isEmpty || source.lacksBodies
      let body = edits.text(of: 0..<source.bytes.count)
      return PortedSource(
        text: (needsSupport ? "import ObjectiveCSupport\n" : "")
          // Foundation exports Combine on Apple's systems.
          + (usesCombine && !importsCombine
            ? "#if canImport(Combine)\nimport Combine\n#endif\n" : "")
          + "#sourceLocation(file: \(Literal.text(source.path)), line: 1)\n" + body + tailText(),
        remarks: remarks.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }

    private func tailText() -> String {
      var lines = tail
      if !registrations.isEmpty {
        lines.append(
          """
          @section(".init_array") @used private let registerForObjectiveC: @convention(c) () -> Void = {
          \(registrations.map { "  \($0)\n" }.joined())}
          """)
      }
      guard !lines.isEmpty else { return "" }
      return "\n#sourceLocation()\n" + lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Remarks

    func remark(
      _ severity: Remark.Severity = .error, at node: some SyntaxProtocol, reason: String,
      remedy: String
    ) {
      let place = source.locations.location(for: node.positionAfterSkippingLeadingTrivia)
      remarks.append(
        Remark(
          severity: severity, line: place.line, column: place.column, reason: reason, remedy: remedy
        ))
    }

    // MARK: - Types

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
      exposeType(node)
      return open(TypeScope(node, in: scopes.last?.scope))
    }
    override func visitPost(_ node: ClassDeclSyntax) {
      conform(node)
      completeStore(node)
      archive(node)
      takeOverrides(node)
      registerLocally(node)
      list(node)
      isolateByDefault(
        node, attributes: node.attributes, modifiers: node.modifiers,
        inheriting: node.inheritanceClause)
      close(node)
    }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
      exposeType(node)
      return open(TypeScope(node, in: scopes.last?.scope))
    }
    override func visitPost(_ node: StructDeclSyntax) {
      isolateByDefault(
        node, attributes: node.attributes, modifiers: node.modifiers,
        inheriting: node.inheritanceClause)
      close(node)
    }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
      exposeType(node)
      return open(TypeScope(node, in: scopes.last?.scope))
    }
    override func visitPost(_ node: EnumDeclSyntax) {
      isolateByDefault(
        node, attributes: node.attributes, modifiers: node.modifiers,
        inheriting: node.inheritanceClause)
      close(node)
    }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
      exposeType(node)
      return open(TypeScope(node, in: scopes.last?.scope))
    }
    override func visitPost(_ node: ActorDeclSyntax) { close(node) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
      exposeType(node)
      return open(TypeScope(node, in: scopes.last?.scope))
    }
    override func visitPost(_ node: ProtocolDeclSyntax) {
      rewriteProtocol(node)
      scopes.removeLast()
    }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
      open(TypeScope(node, in: scopes.last?.scope))
    }
    override func visitPost(_ node: ExtensionDeclSyntax) {
      list(node.attributes)
      if node.inheritanceClause == nil {
        isolateByDefault(node, attributes: node.attributes, modifiers: node.modifiers)
      }
      close(node)
    }

    private func open(_ scope: TypeScope) -> SyntaxVisitorContinueKind {
      scopeCount += 1
      scopes.append(Exposure(scope: scope, number: scopeCount))
      return .visitChildren
    }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
      exposeType(node)
      return .visitChildren
    }

    // MARK: - Members

    override func visitPost(_ node: FunctionDeclSyntax) {
      if node.isMember { expose(node) }
      if node.isMember, node.modifiers.has("override") { moveOverride(node) }
      isolate(node)
      list(node)
      if node.isAtTop {
        isolateByDefault(node, attributes: node.attributes, modifiers: node.modifiers)
      }
    }

    override func visitPost(_ node: VariableDeclSyntax) {
      if node.isAtTop {
        isolateByDefault(node, attributes: node.attributes, modifiers: node.modifiers)
      }
      guard node.isMember else { return }
      expose(node)
      tellObservers(node)
      writeAccessors(of: node)
      if node.modifiers.has("override") { moveOverride(node) }
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
      override(node)
      return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
      showToCoreData(node)
      configureSession(node)
      return .visitChildren
    }

    // MARK: - Attributes, modifiers, imports

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
      rewrite(node)
      return .visitChildren
    }

    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
      if node.name.text == "dynamic" || isOfManagedObject(node) { edits.remove(node.bytes) }
      return .visitChildren
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
      importsModules = true
      if node.path.first?.name.text == "XCTest" { isTest = true }
      if node.path.first?.name.text == "Combine" { importsCombine = true }
      rewrite(node)
      return .skipChildren
    }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
      if let condition = node.condition { settle(condition) }
      return .visitChildren
    }

    // MARK: - Expressions

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
      switch node.macroName.text {
      case "keyPath":
        rewriteKeyPath(node)
        return .skipChildren
      case "selector":
        rewriteSelector(node)
        return .skipChildren
      default: return .visitChildren
      }
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      rewriteOptionalCall(node)
      rewriteInvocation(node)
      rewriteKeyedAccess(node)
      rewriteMutableJSON(node)
      rewriteWaiting(node)
      rewriteBlockCast(node)
      rewriteOrderedSet(node)
      rewriteLocalization(node)
      return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
      rewriteMember(node)
      rewriteSuper(node)
      rewriteOptionalProperty(node)
      return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
      noteCombine(node.baseName.text)
      rewriteReference(node)
      return .visitChildren
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
      noteCombine(node.name.text)
      _ = rewriteExposedName(node.name)
      return .visitChildren
    }

    private static let combine: Set<String> = [
      "AnyCancellable", "AnyPublisher", "CurrentValueSubject", "ObservableObject",
      "ObservableObjectPublisher", "PassthroughSubject", "Published",
    ]

    private func noteCombine(_ name: String) {
      if Self.combine.contains(name) { usesCombine = true }
    }

    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
      rewriteType(node)
      return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
      rewriteLiteral(assignedBy: node)
      rewriteLiteral(insteadOfNilIn: node)
      return rewriteQuestion(node) ? .skipChildren : .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
      rewriteLiteral(of: node)
      return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
      rewriteLiteral(of: node)
      return .visitChildren
    }

    override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
      rewriteLiteral(returnedBy: node)
      return .visitChildren
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
      completeSwitch(node)
      return .visitChildren
    }

    override func visit(_ node: AsExprSyntax) -> SyntaxVisitorContinueKind {
      rewriteCast(node)
      rewriteLiteral(of: node)
      return .visitChildren
    }
  }

  /// Swift string literals.
  enum Literal {
    static func text(_ value: String) -> String {
      var escaped = ""
      for character in value.unicodeScalars {
        switch character {
        case "\\", "\"": escaped += "\\\(character)"
        case "\n": escaped += "\\n"
        default: escaped.unicodeScalars.append(character)
        }
      }
      return "\"\(escaped)\""
    }
  }
#endif
