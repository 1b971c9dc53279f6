#if PortedSources
  import SwiftSyntax

  /// Takes what uses some names out of a body: whole statements where that is enough, and otherwise
  /// all of the body, which then says so when it is called.
  ///
  /// A statement goes alone if it calls or sets something of what is named, hands over no code, and
  /// gives no value: `WidgetCenter.shared.reloadAllTimelines()`. Without names, all of the body
  /// goes.
  struct BodyOmission {
    /// The path of the declaration, for the message.
    let path: String
    private(set) var words: Set<String>
    /// What is to be removed, and what takes the place of a body.
    private(set) var removed: [Range<Int>] = []
    private(set) var replaced: [(range: Range<Int>, text: String)] = []
    /// Parameters of function types: who drops such an argument never calls back.
    private var callbacks: Set<String> = []

    init(path: String, words: [Substring]) {
      self.path = path
      self.words = Set(words.map(Self.name))
    }

    /// The name as it is written in a source: `scope:Outer.Inner` is a reference to `Inner`.
    private static func name(_ word: Substring) -> String {
      String(word.split { ".:[]".contains($0) }.last ?? word)
    }

    /// - Returns: false if the declaration has no body that uses the names.
    mutating func read(_ declaration: DeclSyntax) -> Bool {
      if !words.isEmpty {
        words.formIntersection(declaration.tokens(viewMode: .sourceAccurate).map(\.plainText))
        if words.isEmpty { return false }
      }
      if let node = declaration.as(FunctionDeclSyntax.self) {
        callbacks = Self.callbacks(node.signature)
        guard let body = node.body else { return false }
        let result = node.signature.returnClause?.type.trimmedDescription
        return take(
          body.statements, isValue: !(result == nil || result == "Void" || result == "()"),
          throwing: node.signature.effectSpecifiers)
      }
      if let node = declaration.as(InitializerDeclSyntax.self) {
        callbacks = Self.callbacks(node.signature)
        guard let body = node.body else { return false }
        return take(body.statements, throwing: node.signature.effectSpecifiers)
      }
      if let node = declaration.as(DeinitializerDeclSyntax.self) {
        return node.body.map { take($0.statements, trap: "") } ?? false
      }
      if let node = declaration.as(SubscriptDeclSyntax.self) { return read(node.accessorBlock) }
      guard let node = declaration.as(VariableDeclSyntax.self) else { return false }
      return read(node.bindings.first?.accessorBlock)
    }

    private mutating func read(_ block: AccessorBlockSyntax?) -> Bool {
      switch block?.accessors {
      case .getter(let statements): return take(statements, isValue: true)
      case .accessors(let accessors):
        var isFound = false
        for accessor in accessors {
          guard let body = accessor.body else { continue }
          let keyword = accessor.accessorSpecifier.text
          let isObserver = keyword == "willSet" || keyword == "didSet"
          let isTaken = take(
            body.statements, isValue: keyword == "get", trap: isObserver ? "" : nil)
          isFound = isFound || isTaken
        }
        return isFound
      case nil: return false
      }
    }

    // MARK: - Statements

    private mutating func take(
      _ statements: CodeBlockItemListSyntax, isValue: Bool = false,
      throwing effects: FunctionEffectSpecifiersSyntax? = nil, trap: String? = nil
    ) -> Bool {
      guard words.isEmpty || uses(statements) else { return false }
      let isOnlyValue = isValue && statements.count == 1
      if !words.isEmpty, !isOnlyValue, let ranges = removals(in: statements) {
        removed += ranges
      } else if let first = statements.first, let last = statements.last {
        let range = first.bytes.lowerBound..<last.bytes.upperBound
        replaced.append((range, trap ?? self.trap(effects)))
      } else {
        return false
      }
      return true
    }

    private func trap(_ effects: FunctionEffectSpecifiersSyntax?) -> String {
      let what = words.isEmpty ? "what it does" : words.sorted().joined(separator: ", ")
      let text = Literal.text("\(path): \(what) cannot be built here, so that its body is left out")
      let clause = effects?.throwsClause
      guard let clause, clause.throwsSpecifier.text == "throws", clause.type == nil else {
        return "fatalError(\(text))"
      }
      return "throw ObjectiveCSupport.LeftOutError(\(text))"
    }

    /// The statements to remove so that nothing uses the names; nil if that leaves a use, or a
    /// block that needs a statement.
    private func removals(in statements: CodeBlockItemListSyntax) -> [Range<Int>]? {
      var ranges: [Range<Int>] = []
      for statement in statements where uses(statement) {
        if canGo(statement.item) {
          ranges.append(statement.bytes)
        } else if let inner = removals(inside: statement.item) {
          ranges += inner
        } else {
          return nil
        }
      }
      return ranges
    }

    private func removals(inside item: CodeBlockItemSyntax.Item) -> [Range<Int>]? {
      switch item {
      case .decl(let declaration):
        // What another platform has in its branch of an `#if` is not built here.
        return declaration.as(IfConfigDeclSyntax.self).map { directive in
          directive.clauses.flatMap { clause -> [Range<Int>] in
            guard case .statements(let inner) = clause.elements else { return [] }
            return removals(in: inner) ?? []
          }
        }
      case .stmt(let statement):
        if let statement = statement.as(ExpressionStmtSyntax.self) {
          return removals(inside: .expr(statement.expression))
        }
        if let node = statement.as(ForStmtSyntax.self) {
          return removals(in: node.body, uses(node.sequence))
        }
        if let node = statement.as(WhileStmtSyntax.self) {
          return removals(in: node.body, uses(node.conditions))
        }
        if let node = statement.as(GuardStmtSyntax.self) {
          return removals(in: node.body, uses(node.conditions))
        }
        if let node = statement.as(DeferStmtSyntax.self) { return removals(in: node.body, false) }
        guard let node = statement.as(DoStmtSyntax.self) else { return nil }
        return joined([node.body] + node.catchClauses.map(\.body))
      case .expr(let expression):
        guard let node = expression.as(IfExprSyntax.self) else {
          return removals(inClosuresOf: expression)
        }
        if uses(node.conditions) { return nil }
        guard let own = removals(in: node.body.statements) else { return nil }
        switch node.elseBody {
        case .codeBlock(let block): return removals(in: block.statements).map { own + $0 }
        case .ifExpr(let other):
          return uses(other) ? removals(inside: .expr(ExprSyntax(other))).map { own + $0 } : own
        case nil: return own
        }
      }
    }

    /// What to remove from code that a call hands over, as `queue.async { … }`.
    private func removals(inClosuresOf expression: ExprSyntax) -> [Range<Int>]? {
      let finder = ClosureFinder(viewMode: .sourceAccurate)
      finder.walk(expression)
      let isUsedOutside = expression.tokens(viewMode: .sourceAccurate).contains { token in
        words.contains(token.plainText)
          && !finder.closures.contains { $0.statements.bytes.contains(token.bytes.lowerBound) }
      }
      if isUsedOutside { return nil }
      return finder.closures.reduce([]) { all, closure in
        removals(in: closure.statements).flatMap { inner in all.map { $0 + inner } }
      }
    }

    private final class ClosureFinder: SyntaxVisitor {
      var closures: [ClosureExprSyntax] = []

      override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        closures.append(node)
        return .skipChildren
      }
    }

    private func removals(in block: CodeBlockSyntax, _ isUsedOutside: Bool) -> [Range<Int>]? {
      isUsedOutside ? nil : removals(in: block.statements)
    }

    private func joined(_ blocks: [CodeBlockSyntax]) -> [Range<Int>]? {
      blocks.reduce([]) { all, block in
        removals(in: block.statements).flatMap { inner in all.map { $0 + inner } }
      }
    }

    private func canGo(_ item: CodeBlockItemSyntax.Item) -> Bool {
      guard case .expr(let expression) = item else { return false }
      return !words.isDisjoint(with: Self.names(of: expression))
        && !expression.tokens(viewMode: .sourceAccurate).contains {
          $0.tokenKind == .leftBrace || callbacks.contains($0.text)
        }
    }

    /// The names, joined by dots, with which an expression begins, if it is a call, or sets
    /// something of it: `Center`, `shared` and `start` of `Center.shared.start()`.
    private static func names(of expression: ExprSyntax) -> [String] {
      if let node = expression.as(DeclReferenceExprSyntax.self) { return [node.baseName.plainText] }
      if let node = expression.as(TryExprSyntax.self) { return names(of: node.expression) }
      if let node = expression.as(AwaitExprSyntax.self) { return names(of: node.expression) }
      if let node = expression.as(FunctionCallExprSyntax.self) {
        return names(of: node.calledExpression)
      }
      if let node = expression.as(MemberAccessExprSyntax.self) {
        return (node.base.map { names(of: $0) } ?? []) + [node.declName.baseName.plainText]
      }
      if let node = expression.as(ForceUnwrapExprSyntax.self) { return names(of: node.expression) }
      if let node = expression.as(OptionalChainingExprSyntax.self) {
        return names(of: node.expression)
      }
      if let node = expression.as(SubscriptCallExprSyntax.self) {
        return names(of: node.calledExpression)
      }
      guard let node = expression.as(SequenceExprSyntax.self), let first = node.elements.first,
        node.elements.dropFirst().first?.is(AssignmentExprSyntax.self) ?? false
      else { return [] }
      // `_ = Center.shared.start()`
      if first.is(DiscardAssignmentExprSyntax.self) {
        return node.elements.count == 3 ? node.elements.last.map { names(of: $0) } ?? [] : []
      }
      return names(of: first)
    }

    private func uses(_ node: some SyntaxProtocol) -> Bool {
      node.tokens(viewMode: .sourceAccurate).contains { words.contains($0.plainText) }
    }

    private static func callbacks(_ signature: FunctionSignatureSyntax) -> Set<String> {
      Set(
        signature.parameterClause.parameters.filter { $0.type.description.contains("->") }
          .map { ($0.secondName ?? $0.firstName).plainText })
    }
  }
#endif
