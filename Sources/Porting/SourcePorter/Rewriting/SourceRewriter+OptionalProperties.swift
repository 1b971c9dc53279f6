#if PortedSources
  import SwiftSyntax

  // Optional properties of Objective-C protocols, and tests for the presence of optional methods.

  extension SourceRewriter {
    /// The default implementations of an optional property: getters that throw. A property with a
    /// getter that does not throw satisfies the requirement.
    func defaultProperties(_ node: VariableDeclSyntax) -> [String] {
      for modifier in node.modifiers where modifier.name.text == "optional" {
        edits.remove(modifier.bytes)
      }
      return node.bindings.compactMap { binding in
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
          let type = binding.typeAnnotation?.type, let block = binding.accessorBlock
        else { return nil }
        // The requirement has no setter: only the conforming type can set the property.
        edits.replace(block.bytes, with: "{ get throws }")
        return
          "\(node.modifiers.has("static") ? "static " : "")var \(name): \(edits.text(of: type.bytes, keepsLines: false)) { get throws { throw ObjectiveCSupport.MissingRequirement() } }"
      }
    }

    /// Rewrites `delegate?.title` to `ObjectiveCSupport.optionalProperty(delegate, { try $0.title
    /// })`.
    func rewriteOptionalProperty(_ node: MemberAccessExprSyntax) {
      let name = node.declName.baseName.plainText
      guard let base = node.base, node.declName.argumentNames == nil,
        let type = protocolName(of: base), type.isTypeName,
        project.hasOptionalProperty(name, in: type)
      else { return }
      let owner = base.as(OptionalChainingExprSyntax.self)?.expression ?? base
      edits.insert("ObjectiveCSupport.optionalProperty(", at: node.bytes.lowerBound)
      edits.replace(
        owner.bytes.upperBound..<node.bytes.upperBound,
        with: ", { try $0.\(node.declName.baseName.text) })")
    }

    // MARK: - Presence of methods

    /// Rewrites `delegate?.method != nil` to `ObjectiveCSupport.responds(delegate, to:
    /// Selector("method"))`.
    func rewriteQuestion(_ node: InfixOperatorExprSyntax) -> Bool {
      let sign = node.operator.trimmedDescription
      guard ["==", "!="].contains(sign) else { return false }
      let (left, right) = (node.leftOperand, node.rightOperand)
      guard
        let member = (right.is(NilLiteralExprSyntax.self) ? left : right)
          .as(MemberAccessExprSyntax.self),
        right.is(NilLiteralExprSyntax.self) || left.is(NilLiteralExprSyntax.self),
        let base = member.base, let selector = optionalSelector(member)
      else { return false }
      let owner = base.as(OptionalChainingExprSyntax.self)?.expression ?? base
      // The owner is rewritten first, since the edits below enclose it.
      walk(owner)
      edits.insert(
        "\(sign == "==" ? "!" : "")ObjectiveCSupport.responds(", at: node.bytes.lowerBound)
      edits.remove(node.bytes.lowerBound..<owner.bytes.lowerBound)
      edits.replace(
        owner.bytes.upperBound..<node.bytes.upperBound,
        with: ", to: Selector(\(Literal.text(selector))))")
      return true
    }

    func isAnswerable(_ node: MemberAccessExprSyntax) -> Bool {
      node.parent?.is(InfixOperatorExprSyntax.self) ?? false && optionalSelector(node) != nil
    }

    /// The selector of an optional method; nil if the expression names none, or an ambiguous one.
    private func optionalSelector(_ node: MemberAccessExprSyntax) -> String? {
      let name = node.declName.baseName.plainText
      let labels = node.declName.argumentNames?.arguments.map(\.name.plainText)
      guard project.isOptionalRequirement(name), !project.isProperty(name) else { return nil }
      let known = project.selectors(name, labels: labels, owner: nil)
      return known.count == 1 ? known[0] : nil
    }

    // MARK: - Types of expressions

    /// The protocol that an expression's declaration names as its type, if it is visible: of a
    /// parameter, a local variable or a property.
    private func protocolName(of expression: ExprSyntax, depth: Int = 0) -> String? {
      guard depth < 8 else { return nil }
      if let optional = expression.as(OptionalChainingExprSyntax.self) {
        return protocolName(of: optional.expression, depth: depth + 1)
      }
      if let forced = expression.as(ForceUnwrapExprSyntax.self) {
        return protocolName(of: forced.expression, depth: depth + 1)
      }
      if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
        return protocolName(of: tuple.elements.first!.expression, depth: depth + 1)
      }
      if let cast = expression.as(AsExprSyntax.self) { return cast.type.plainName }
      if let member = expression.as(MemberAccessExprSyntax.self) {
        return propertyType(member.declName.baseName.plainText)
      }
      guard let reference = expression.as(DeclReferenceExprSyntax.self) else { return nil }
      let name = reference.baseName.plainText
      if let local = localType(of: name, at: Syntax(expression), depth: depth) { return local }
      return propertyType(name)
    }

    /// The type of the properties with a name; nil if they have several.
    private func propertyType(_ name: String) -> String? {
      let types = project.types(ofPropertyNamed: name)
      return types.count == 1 ? types[0] : nil
    }

    private func localType(of name: String, at node: Syntax, depth: Int) -> String? {
      var node = node
      while let parent = node.parent {
        if let found = bound(name, in: parent, before: node, depth: depth) { return found }
        node = parent
      }
      return nil
    }

    /// The type of the declaration of a name in one syntactic scope; empty if it is not known, nil
    /// if there is none.
    private func bound(_ name: String, in scope: Syntax, before node: Syntax, depth: Int) -> String?
    {
      if let function = scope.as(FunctionDeclSyntax.self) {
        return parameterType(name, clause: function.signature.parameterClause)
      }
      if let initializer = scope.as(InitializerDeclSyntax.self) {
        return parameterType(name, clause: initializer.signature.parameterClause)
      }
      if let conditions = scope.as(IfExprSyntax.self)?.conditions
        ?? scope.as(WhileStmtSyntax.self)?.conditions
      {
        return bound(name, in: conditions, depth: depth)
      }
      guard let list = scope.as(CodeBlockItemListSyntax.self) else { return nil }
      for item in list.reversed() where item.position < node.position {
        if let variable = item.item.as(VariableDeclSyntax.self) {
          for binding in variable.bindings
          where binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText == name {
            return binding.typeAnnotation?.type.plainName
              ?? binding.initializer.flatMap { protocolName(of: $0.value, depth: depth + 1) } ?? ""
          }
        }
        if let conditions = item.item.as(GuardStmtSyntax.self)?.conditions,
          let found = bound(name, in: conditions, depth: depth)
        {
          return found
        }
      }
      return nil
    }

    private func bound(
      _ name: String, in conditions: ConditionElementListSyntax, depth: Int
    ) -> String? {
      for condition in conditions {
        guard let binding = condition.condition.as(OptionalBindingConditionSyntax.self),
          binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText == name
        else { continue }
        // `if let delegate` has the type of the property.
        guard let value = binding.initializer?.value else { return propertyType(name) }
        return binding.typeAnnotation?.type.plainName
          ?? protocolName(of: value, depth: depth + 1) ?? ""
      }
      return nil
    }

    /// The type of a parameter; nil if there is none of this name.
    private func parameterType(_ name: String, clause: FunctionParameterClauseSyntax) -> String? {
      clause.parameters.first { ($0.secondName ?? $0.firstName).plainText == name }?.type.plainName
    }
  }
  extension String {
    fileprivate var isTypeName: Bool {
      !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    }
  }
#endif
