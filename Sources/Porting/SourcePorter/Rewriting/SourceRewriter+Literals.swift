#if PortedSources
  import SwiftSyntax

  // Array literals of Foundation's sets, which have none here.

  extension SourceRewriter {
    /// Rewrites `item.tags = [a, b]` if a property of this name is a set class of Foundation, which
    /// has no literals here. The context says which property it is.
    func rewriteLiteral(assignedBy node: InfixOperatorExprSyntax) {
      guard node.operator.is(AssignmentExprSyntax.self),
        let literal = node.rightOperand.as(ArrayExprSyntax.self)
      else { return }
      rewrite(literal, besides: node.leftOperand)
    }

    private func rewrite(_ literal: ArrayExprSyntax, besides property: ExprSyntax) {
      guard let name = name(of: property), project.isSet(propertyNamed: name) else { return }
      edits.insert("ObjectiveCSupport.literal(", at: literal.bytes.lowerBound)
      edits.insert(")", at: literal.bytes.upperBound)
    }

    func rewriteLiteral(of node: PatternBindingSyntax) {
      guard let type = node.typeAnnotation?.type,
        let literal = node.initializer?.value.as(ArrayExprSyntax.self)
      else { return }
      rewrite(literal, as: type.plainName)
    }

    /// Rewrites the literal in `_ tags: NSSet = []`.
    func rewriteLiteral(of node: FunctionParameterSyntax) {
      guard let literal = node.defaultValue?.value.as(ArrayExprSyntax.self) else { return }
      rewrite(literal, as: node.type.plainName)
    }

    /// Rewrites the literal in `[a, b] as NSSet`.
    func rewriteLiteral(of node: AsExprSyntax) {
      guard let literal = node.expression.as(ArrayExprSyntax.self) else { return }
      rewrite(literal, as: node.type.plainName)
    }

    /// Rewrites the literal in `item.tags ?? []`.
    func rewriteLiteral(insteadOfNilIn node: InfixOperatorExprSyntax) {
      guard node.operator.trimmedDescription == "??",
        let literal = node.rightOperand.as(ArrayExprSyntax.self)
      else { return }
      rewrite(literal, besides: node.leftOperand)
    }

    /// Rewrites the literal that a function or a computed property with such a type returns, be it
    /// with `return` or as its only expression.
    func rewriteLiteral(returnedBy literal: ArrayExprSyntax) {
      var node = literal.parent
      if node?.is(ReturnStmtSyntax.self) == true { node = node?.parent }
      guard node?.is(CodeBlockItemSyntax.self) == true else { return }
      let isStatement = literal.parent?.is(ReturnStmtSyntax.self) == true
      let list = node?.parent?.as(CodeBlockItemListSyntax.self)
      guard isStatement || list?.count == 1 else { return }
      while let around = node?.parent {
        node = around
        if around.is(ClosureExprSyntax.self) || around.is(InitializerDeclSyntax.self) { return }
        if let function = around.as(FunctionDeclSyntax.self) {
          if let type = function.signature.returnClause?.type {
            rewrite(literal, as: type.plainName)
          }
          return
        }
        if let binding = around.as(PatternBindingSyntax.self) {
          if let type = binding.typeAnnotation?.type { rewrite(literal, as: type.plainName) }
          return
        }
        if around.is(MemberBlockSyntax.self) { return }
      }
    }

    private func name(of expression: ExprSyntax) -> String? {
      if let chain = expression.as(OptionalChainingExprSyntax.self) {
        return name(of: chain.expression)
      }
      return expression.as(MemberAccessExprSyntax.self)?.declName.baseName.plainText
        ?? expression.as(DeclReferenceExprSyntax.self)?.baseName.plainText
    }

    private func rewrite(_ literal: ArrayExprSyntax, as type: String) {
      guard ProjectFacts.sets.contains(type) else { return }
      let isMutable = type == "NSMutableOrderedSet"
      edits.insert(
        (isMutable ? "ObjectiveCSupport.working(" : "") + "\(type)(array: ",
        at: literal.bytes.lowerBound)
      edits.insert(isMutable ? "))" : ")", at: literal.bytes.upperBound)
    }
  }
#endif
