#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    // MARK: - Names

    func rewriteMember(_ node: MemberAccessExprSyntax) {
      switch node.declName.baseName.text {
      case "_kvcKeyPathString":
        edits.replace(node.declName.baseName.bytes, with: "objectiveCKeyPath")
      case "observeValue" where node.base?.is(SuperExprSyntax.self) ?? false:
        // `NSObject` has it on Apple's systems; there is nothing above the class here, unless it is one of Core Data's.
        guard let scope = scopes.last?.scope, scope.kind == .aClass,
          scope.inherited.first == "NSObject"
        else { return }
        edits.replace(node.bytes, with: "ObjectiveCSupport.unhandledObservation")
      case "allBundles" where node.base?.trimmedDescription == "Bundle":
        edits.replace(node.bytes, with: "ObjectiveCSupport.allBundles")
      case "urls" where node.isCalled(with: "forResourcesWithExtension"):
        edits.replace(node.declName.baseName.bytes, with: "resourceURLs")
      default: remarkUncalled(node)
      }
    }

    /// Functions that Foundation has, too, but without the names of `@objc(…)`.
    private static let functions = [
      "NSClassFromString": "classNamed", "NSStringFromClass": "nameOfClass",
    ]

    func rewriteReference(_ node: DeclReferenceExprSyntax) {
      if node.baseName.text == "Bundle", let call = node.parent?.as(FunctionCallExprSyntax.self),
        call.calledExpression.id == node.id, call.arguments.first?.label?.text == "identifier"
      {
        return edits.replace(node.baseName.bytes, with: "ObjectiveCSupport.bundle")
      }
      guard let function = Self.functions[node.baseName.text],
        node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id
      else { return }
      edits.replace(node.baseName.bytes, with: "ObjectiveCSupport.\(function)")
    }

    // MARK: - Casts

    /// Objective-C does not look at their type parameters.
    private static let erased: Set<String> = [
      "NSFetchRequest", "NSFetchedResultsController", "NSAsynchronousFetchRequest",
      "NSAsynchronousFetchResult",
    ]

    func rewriteCast(_ node: AsExprSyntax) {
      if rewriteMutableCast(node) { return }
      guard let type = node.type.as(IdentifierTypeSyntax.self), type.genericArgumentClause != nil
      else { return }
      let rest = node.expression.bytes.upperBound..<node.bytes.upperBound
      let text = source.text(type.bytes)
      if type.name.text == "NSDiffableDataSourceSnapshot" {
        edits.insert("\(text)(", at: node.bytes.lowerBound)
        edits.replace(rest, with: ")")
      } else if Self.erased.contains(type.name.text), let mark = node.questionOrExclamationMark {
        edits.insert("ObjectiveCSupport.cast(", at: node.bytes.lowerBound)
        edits.replace(rest, with: ", to: \(text).self)\(mark.text == "!" ? "!" : "")")
      }
    }

    private static let mutable = [
      "NSMutableSet": "mutableSetValue", "NSMutableOrderedSet": "mutableOrderedSetValue",
    ]

    /// `value(forKey: key) as? NSMutableSet` is `mutableSetValue(forKey: key)`: the value of a to-many relationship is a copy
    /// here.
    private func rewriteMutableCast(_ node: AsExprSyntax) -> Bool {
      guard let name = Self.mutable[node.type.trimmedDescription],
        let call = node.expression.as(FunctionCallExprSyntax.self),
        let mark = node.questionOrExclamationMark,
        ["forKey", "forKeyPath"].contains(call.arguments.first?.label?.text)
      else { return false }
      let method =
        call.calledExpression.as(MemberAccessExprSyntax.self)?.declName
        ?? call.calledExpression.as(DeclReferenceExprSyntax.self)
      guard let method, method.baseName.text == "value" else { return false }
      edits.replace(method.baseName.bytes, with: name)
      let rest = node.expression.bytes.upperBound..<node.bytes.upperBound
      edits.replace(
        rest, with: mark.text == "?" ? " as \(node.type.trimmedDescription)?" : "")
      return true
    }

    // MARK: - Any object

    private static let keyed: Set<String> = [
      "value(forKey:)", "value(forKeyPath:)", "setValue(_:forKey:)", "setValue(_:forKeyPath:)",
    ]

    /// `(x as AnyObject).value(forKey: key)` is `ObjectiveCSupport.keyed(x).value(forKey: key)`.
    func rewriteKeyedAccess(_ node: FunctionCallExprSyntax) {
      guard let member = node.calledExpression.as(MemberAccessExprSyntax.self),
        let tuple = member.base?.as(TupleExprSyntax.self), tuple.elements.count == 1,
        let cast = tuple.elements.first?.expression.as(AsExprSyntax.self),
        cast.questionOrExclamationMark == nil, cast.type.trimmedDescription == "AnyObject",
        Self.keyed.contains(
          ProjectFacts.fullName(
            member.declName.baseName.text, node.arguments.map { $0.label?.text ?? "_" }))
      else { return }
      edits.insert("ObjectiveCSupport.keyed", at: tuple.bytes.lowerBound)
      edits.remove(cast.expression.bytes.upperBound..<cast.bytes.upperBound)
    }

    // MARK: - Undo

    /// `(undoManager.prepare(withInvocationTarget: self) as AnyObject).setTitle(old)` is
    /// `undoManager.prepareInvocation(self, old) { $0.setTitle($1) }`.
    func rewriteInvocation(_ node: FunctionCallExprSyntax) {
      guard let preparation = Preparation(node) else {
        if node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
          == "prepare",
          node.arguments.first?.label?.text == "withInvocationTarget",
          !node.isPrepared
        {
          remark(
            at: node, "what is prepared here is not called in the same expression",
            remedy: "write (undoManager.prepare(withInvocationTarget: x) as AnyObject).method(…)")
        }
        return
      }
      let arguments = node.arguments
      if let open = preparation.openParenthesis { edits.remove(open) }
      edits.replace(preparation.name, with: "prepareInvocation")
      edits.remove(preparation.label)
      let list = arguments.enumerated().map { index, argument in
        (argument.label.map { $0.text + ": " } ?? "") + "$\(index + 1)"
      }
      let start = arguments.first?.bytes.lowerBound ?? node.rightParen?.bytes.lowerBound
      guard let start, let end = node.rightParen?.bytes else { return }
      edits.replace(
        preparation.targetEnd..<start, with: arguments.isEmpty ? "" : ", ")
      for argument in arguments {
        guard let label = argument.label else { continue }
        edits.remove(label.bytes.lowerBound..<argument.expression.bytes.lowerBound)
      }
      edits.replace(
        end, with: ") { $0.\(preparation.method)(\(list.joined(separator: ", "))) }")
    }

    /// The parts of a call that an undo manager is to record.
    private struct Preparation {
      var openParenthesis: Range<Int>?
      let name: Range<Int>
      let label: Range<Int>
      let targetEnd: Int
      let method: String

      init?(_ call: FunctionCallExprSyntax) {
        guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
          var base = member.base, call.trailingClosure == nil
        else { return nil }
        if let forced = base.as(ForceUnwrapExprSyntax.self) { base = forced.expression }
        if let optional = base.as(OptionalChainingExprSyntax.self) { base = optional.expression }
        if let tuple = base.as(TupleExprSyntax.self), tuple.elements.count == 1,
          let cast = tuple.elements.first?.expression.as(AsExprSyntax.self)
        {
          openParenthesis = tuple.leftParen.bytes
          base = cast.expression
        }
        guard let inner = base.as(FunctionCallExprSyntax.self),
          let prepare = inner.calledExpression.as(MemberAccessExprSyntax.self),
          prepare.declName.baseName.text == "prepare",
          let target = inner.arguments.first, target.label?.text == "withInvocationTarget"
        else { return nil }
        name = prepare.declName.baseName.bytes
        label = target.bytes.lowerBound..<target.expression.bytes.lowerBound
        targetEnd = target.expression.bytes.upperBound
        method = member.declName.baseName.text
      }
    }
  }

  extension MemberAccessExprSyntax {
    fileprivate func isCalled(with label: String) -> Bool {
      parent?.as(FunctionCallExprSyntax.self)?.arguments.first?.label?.text == label
    }
  }

  extension FunctionCallExprSyntax {
    /// Whether the call is what another one is sent to.
    fileprivate var isPrepared: Bool {
      var node = parent
      while let current = node {
        if current.is(FunctionCallExprSyntax.self) { return true }
        guard
          current.is(AsExprSyntax.self) || current.is(TupleExprSyntax.self)
            || current.is(LabeledExprSyntax.self) || current.is(LabeledExprListSyntax.self)
            || current.is(MemberAccessExprSyntax.self) || current.is(ForceUnwrapExprSyntax.self)
            || current.is(OptionalChainingExprSyntax.self)
        else { return false }
        node = current.parent
      }
      return false
    }
  }
#endif
