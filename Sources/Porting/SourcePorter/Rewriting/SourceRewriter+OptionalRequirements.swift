#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    /// Rewrites an Objective-C protocol. Optional methods become throwing ones with a default
    /// implementation that throws, by which callers notice that there is none. A method that does
    /// not throw satisfies a throwing requirement.
    func rewriteProtocol(_ node: ProtocolDeclSyntax) {
      guard node.attributes.has("objc"), let scope = scopes.last?.scope else { return }
      if let inherited = node.inheritanceClause?.inheritedTypes {
        let isOfClasses = inherited.contains {
          ["AnyObject", "class", "NSObjectProtocol", "NSFetchRequestResult"].contains(
            $0.type.trimmedDescription)
        }
        if !isOfClasses, let last = inherited.last {
          edits.insert(", AnyObject", at: last.type.bytes.upperBound)
        }
      } else {
        edits.insert(": AnyObject", at: node.name.bytes.upperBound)
      }
      let defaults =
        members(FunctionDeclSyntax.self, of: node.memberBlock.members)
        .filter { $0.modifiers.has("optional") }.compactMap { function in
          defaultImplementation(of: function).map { conditional($0, on: function) }
        }
        + members(VariableDeclSyntax.self, of: node.memberBlock.members)
        .filter { $0.modifiers.has("optional") }.flatMap { property in
          defaultProperties(property).map { conditional($0, on: property) }
        }
      guard !defaults.isEmpty else { return }
      let access = node.modifiers.map(\.name.text).first {
        ["public", "package", "fileprivate", "private"].contains($0)
      }
      let head = access.map { ($0 == "private" ? "fileprivate" : $0) + " " } ?? ""
      tail.append(
        conditional("\(head)extension \(scope.name) { \(defaults.joined) }", on: node))
    }

    private func members<Declaration: DeclSyntaxProtocol>(
      _ type: Declaration.Type, of list: MemberBlockItemListSyntax
    ) -> [Declaration] {
      list.flatMap { item -> [Declaration] in
        if let member = item.decl.as(type) { return [member] }
        return (item.decl.as(IfConfigDeclSyntax.self)?.clauses ?? []).flatMap {
          clause -> [Declaration] in
          guard case .decls(let list) = clause.elements else { return [] }
          return members(type, of: list)
        }
      }
    }

    private func defaultImplementation(of node: FunctionDeclSyntax) -> String? {
      guard node.signature.effectSpecifiers?.asyncSpecifier == nil else {
        remark(
          at: node, reason: "an optional method that is async is not known",
          remedy: "declare it required")
        return nil
      }
      for modifier in node.modifiers where modifier.name.text == "optional" {
        edits.remove(modifier.bytes)
      }
      if !node.isThrowing {
        edits.insert(" throws", at: node.signature.parameterClause.bytes.upperBound)
      }
      let signature = edits.text(
        of: node.funcKeyword.bytes.lowerBound..<node.bytes.upperBound, keepsLines: false)
      return signature.split(separator: "\n").joined(separator: " ")
        + " { throw ObjectiveCSupport.MissingRequirement() }"
    }

    /// Rewrites `delegate?.list?(self, didChange: item)` to `(try? delegate?.list(self, didChange:
    /// item))`.
    func rewriteOptionalCall(_ node: FunctionCallExprSyntax) {
      let mark: TokenSyntax
      let called: ExprSyntax
      if let optional = node.calledExpression.as(OptionalChainingExprSyntax.self) {
        (mark, called) = (optional.questionMark, optional.expression)
      } else if let forced = node.calledExpression.as(ForceUnwrapExprSyntax.self) {
        (mark, called) = (forced.exclamationMark, forced.expression)
      } else {
        return
      }
      guard let member = called.as(MemberAccessExprSyntax.self), member.base != nil else { return }
      let name = member.declName.baseName.plainText
      let labels = node.arguments.map { $0.label?.plainText ?? "_" }
      if Self.known.contains(ProjectFacts.fullName(name, labels: labels)) {
        return edits.remove(mark.bytes)
      }
      let trailing = (node.trailingClosure == nil ? 0 : 1) + node.additionalTrailingClosures.count
      guard
        let requirement = requirement(name, labels: labels, hasTrailing: trailing > 0),
        // A closure in a property has no labels.
        labels.contains(where: { $0 != "_" }) || !project.isProperty(name)
      else { return }
      guard !node.arguments.contains(where: { $0.expression.containsEffects }) else {
        return remark(
          at: node,
          reason: "a call of an optional method whose arguments try or await is not known",
          remedy: "compute the arguments before the call")
      }
      let isForced = mark.text == "!"
      edits.remove(mark.bytes)
      if requirement == .throwing {
        if isForced { return }
        edits.insert(
          "(ObjectiveCSupport.optionalCall { try ", at: node.bytes.lowerBound)
        edits.insert(" })", at: node.bytes.upperBound)
      } else {
        edits.insert(
          (node.isStatement ? "_ = " : "") + "(try\(isForced ? "!" : "?") ",
          at: node.bytes.lowerBound)
        edits.insert(")", at: node.bytes.upperBound)
      }
    }

    private func requirement(
      _ name: String, labels: [String], hasTrailing: Bool
    ) -> ProjectFacts.Requirement? {
      if let found = project.optionalRequirement(named: name, labels: labels) { return found }
      // The label of a trailing closure is unknown.
      return hasTrailing && project.isOptionalRequirement(name) ? .plain : nil
    }

    /// Optional requirements of this package's protocols; they have defaults here.
    private static let known: Set<String> = [
      "controllerWillChangeContent(_:)", "controllerDidChangeContent(_:)",
      "controller(_:didChange:at:for:newIndexPath:)", "controller(_:didChange:atSectionIndex:for:)",
      "controller(_:didChangeContentWith:)", "controller(_:sectionIndexTitleForSectionName:)",
    ]

    /// Remarks on a method of an optional requirement that is compared with nil: it would always
    /// seem present.
    func remarkUncalled(_ node: MemberAccessExprSyntax) {
      let name = node.declName.baseName.plainText
      guard node.base != nil, project.isOptionalRequirement(name), !project.isProperty(name),
        node.isAskedWhetherThere, !isAnswerable(node)
      else { return }
      remark(
        at: node,
        reason: "whether somebody implements the optional method \(name) cannot be read off it",
        remedy: "call it, or ask responds(to: #selector(\(name)))")
    }
  }

  extension MemberAccessExprSyntax {
    /// Whether the member is compared with nil or bound by `if let`.
    fileprivate var isAskedWhetherThere: Bool {
      if let comparison = parent?.as(InfixOperatorExprSyntax.self),
        ["==", "!="].contains(comparison.operator.trimmedDescription)
      {
        return comparison.rightOperand.is(NilLiteralExprSyntax.self)
          || comparison.leftOperand.is(NilLiteralExprSyntax.self)
      }
      return parent?.parent?.is(OptionalBindingConditionSyntax.self) ?? false
    }
  }

  extension FunctionCallExprSyntax {
    /// Whether the result of the call is unused.
    var isStatement: Bool {
      guard let item = parent?.as(CodeBlockItemSyntax.self),
        let list = item.parent?.as(CodeBlockItemListSyntax.self)
      else { return false }
      // A body's only expression may be its value.
      return list.count > 1 || !(list.parent?.givesItsOnlyExpression ?? false)
    }
  }

  extension SyntaxProtocol {
    fileprivate var givesItsOnlyExpression: Bool {
      if self.is(ClosureExprSyntax.self) || self.is(AccessorBlockSyntax.self) { return true }
      guard let block = self.as(CodeBlockSyntax.self) else { return false }
      if let function = block.parent?.as(FunctionDeclSyntax.self) {
        return function.signature.returnClause != nil
      }
      return block.parent?.is(AccessorDeclSyntax.self) ?? false
    }
  }

  extension ExprSyntax {
    /// Whether the expression may throw or suspend, closures excepted.
    fileprivate var containsEffects: Bool {
      if self.is(ClosureExprSyntax.self) { return false }
      if self.is(AwaitExprSyntax.self) { return true }
      if let attempt = self.as(TryExprSyntax.self), attempt.questionOrExclamationMark == nil {
        return true
      }
      return children(viewMode: .sourceAccurate).contains { $0.containsExpressionWithEffects }
    }
  }

  extension Syntax {
    fileprivate var containsExpressionWithEffects: Bool {
      if let expression = self.as(ExprSyntax.self) { return expression.containsEffects }
      return children(viewMode: .sourceAccurate).contains { $0.containsExpressionWithEffects }
    }
  }
#endif
