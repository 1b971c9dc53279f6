#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    func rewriteSelector(_ node: MacroExpansionExprSyntax) {
      guard node.arguments.count == 1, let argument = node.arguments.first else {
        return remarkSelector(node)
      }
      var expression = argument.expression
      while true {
        if let cast = expression.as(AsExprSyntax.self) {
          expression = cast.expression
        } else if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
          expression = tuple.elements.first!.expression
        } else {
          break
        }
      }
      let reference =
        expression.as(MemberAccessExprSyntax.self)?.declName
        ?? expression.as(DeclReferenceExprSyntax.self)
      guard let reference, let names = names(of: expression) else { return remarkSelector(node) }
      switch argument.label?.text {
      case "getter": replace(node, with: key(names))
      case "setter": replace(node, with: SelectorName.setter(of: key(names)))
      default:
        let labels = reference.argumentNames?.arguments.map(\.name.plainText)
        guard let selector = selector(names, labels: labels) else {
          return remark(
            at: node,
            reason:
              "the selector of \(names.last!) depends on its declaration, which is not in these sources",
            remedy: "write its labels, as in #selector(\(names.last!)(_:))")
        }
        replace(node, with: selector)
      }
    }

    private func selector(_ names: [String], labels: [String]?) -> String? {
      let owner = owner(of: names.dropLast())
      let known = project.selectors(names.last!, labels: labels, owner: owner)
      if known.count == 1 { return known[0] }
      if let labels { return SelectorName.method(names.last!, labels: labels) }
      return nil
    }

    private func key(_ names: [String]) -> String {
      project.key(of: names.last!, in: owner(of: names.dropLast()))
    }

    /// The type that a reference names, or the enclosing one.
    func owner(of names: ArraySlice<String>) -> String? {
      if names.isEmpty || names.last == "self" || names.last == "Self" {
        return scopes.last?.scope.name
      }
      let types = names.filter { $0.first?.isUppercase == true }
      return types.isEmpty ? nil : types.joined(separator: ".")
    }

    private func replace(_ node: MacroExpansionExprSyntax, with selector: String) {
      let text = "Selector(\(Literal.text(selector)))"
      guard let scope = scopes.last?.scope, scope.kind != .aProtocol, isLate(scope) else {
        return edits.replace(node.bytes, with: text)
      }
      scopes[scopes.count - 1].lateSelectors.append((node.bytes, text))
    }

    private func remarkSelector(_ node: MacroExpansionExprSyntax) {
      remark(
        at: node, reason: "this selector has a form that is not known",
        remedy: "name a method and its labels"
      )
    }
  }
#endif
