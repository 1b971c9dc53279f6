#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    /// Rewrites `#keyPath(Person.address.city)` to `"address.city"`.
    func rewriteKeyPath(_ node: MacroExpansionExprSyntax) {
      guard node.arguments.count == 1, let path = node.arguments.first?.expression,
        var names = names(of: path)
      else {
        return remark(
          at: node, reason: "this key path has a form that is not known",
          remedy: "write the keys as a string"
        )
      }
      // Types come first and are capitalised; the last name is always a property.
      var types: [String] = []
      while names.count > 1,
        let first = names.first, first == "self" || first.first?.isUppercase == true
      {
        types.append(names.removeFirst())
      }
      edits.replace(
        node.bytes,
        with: Literal.text(keys(names, of: owner(of: types[...])).joined(separator: ".")))
    }

    /// The keys of a chain of properties in key-value coding; `owner` is the class of the first
    /// one, if known.
    private func keys(_ names: [String], of owner: String?) -> [String] {
      var owner = owner
      return names.map { name in
        defer {
          let types = project.types(ofPropertyNamed: name)
          owner = types.count == 1 ? types[0].filter { $0 != "?" && $0 != "!" } : nil
        }
        return project.key(of: name, in: owner)
      }
    }

    /// The names in a chain of member accesses; nil for any other expression.
    func names(of expression: ExprSyntax) -> [String]? {
      if let reference = expression.as(DeclReferenceExprSyntax.self) {
        return [reference.baseName.plainText]
      }
      if let optional = expression.as(OptionalChainingExprSyntax.self) {
        return names(of: optional.expression)
      }
      if let forced = expression.as(ForceUnwrapExprSyntax.self) {
        return names(of: forced.expression)
      }
      if let generic = expression.as(GenericSpecializationExprSyntax.self) {
        return names(of: generic.expression)
      }
      if let member = expression.as(MemberAccessExprSyntax.self) {
        let name = member.declName.baseName.plainText
        guard let base = member.base else { return [name] }
        return names(of: base).map { $0 + [name] }
      }
      return nil
    }
  }
#endif
