#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    // MARK: - Names

    func rewriteMember(_ node: MemberAccessExprSyntax) {
      switch node.declName.baseName.text {
      case "_kvcKeyPathString":
        edits.replace(node.declName.baseName.bytes, with: "objectiveCKeyPath")
      case "observeValue" where node.base?.is(SuperExprSyntax.self) ?? false:
        // Foundation's `NSObject` lacks the method here; superclasses of Core Data have it.
        guard let scope = scopes.last?.scope, scope.kind == .aClass,
          scope.inherited.first == "NSObject"
        else { return }
        edits.replace(node.bytes, with: "ObjectiveCSupport.unhandledObservation")
      case "allBundles" where node.base?.trimmedDescription == "Bundle":
        edits.replace(node.bytes, with: "ObjectiveCSupport.allBundles")
      case "main" where isMainBundle(node):
        edits.replace(node.bytes, with: "ObjectiveCSupport.mainBundle(for: #fileID)")
      case "classForCoder" where isTest && node.base?.trimmedDescription == "self":
        rewriteClassOfTest(node)
      case "bundleIdentifier" where isBundle(node.base): rewriteIdentifier(node)
      case "urls" where node.isCalled(with: "forResourcesWithExtension"):
        edits.replace(node.declName.baseName.bytes, with: "resourceURLs")
      case let name
      where Self.elsewhere.contains(name) && node.base?.trimmedDescription == "Foundation":
        edits.replace(node.base!.bytes, with: "ObjectiveCSupport")
      case "init" where node.isCalled: rewriteDynamicInitializer(node)
      case _ where rewriteUninitialized(ExprSyntax(node)): return
      default: remarkUncalled(node)
      }
    }

    /// Matches `Bundle.main`, and `.main` as the value of a parameter or a variable of this type.
    private func isMainBundle(_ node: MemberAccessExprSyntax) -> Bool {
      if let base = node.base {
        return ["Bundle", "Foundation.Bundle"].contains(base.trimmedDescription)
      }
      guard let clause = node.parent?.as(InitializerClauseSyntax.self) else { return false }
      let type =
        clause.parent?.as(FunctionParameterSyntax.self)?.type
        ?? clause.parent?.as(PatternBindingSyntax.self)?.typeAnnotation?.type
      return ["Bundle", "Bundle?", "Foundation.Bundle"].contains(type?.trimmedDescription)
    }

    /// Rewrites `self.classForCoder` in a class of tests, which is no `NSObject` here.
    private func rewriteClassOfTest(_ node: MemberAccessExprSyntax) {
      guard let superclass = scopes.last?.scope.inherited.first,
        superclass.hasSuffix("TestCase") || superclass.hasSuffix("Tests")
      else { return }
      edits.replace(node.bytes, with: "type(of: self)")
    }

    /// Matches `Bundle.main`, `Bundle.module`, `Bundle(for: Item.self)` and the like.
    private func isBundle(_ expression: ExprSyntax?) -> Bool {
      let names = ["Bundle", "Foundation.Bundle"]
      if let member = expression?.as(MemberAccessExprSyntax.self) {
        return names.contains(member.base?.trimmedDescription ?? "")
      }
      let call = expression?.as(FunctionCallExprSyntax.self)
      return names.contains(call?.calledExpression.trimmedDescription ?? "")
    }

    /// Replaces the identifier of a bundle, which has none here, by the one that the project says,
    /// as the condition `bundleIdentifier(org.example.App)`.
    private func rewriteIdentifier(_ node: MemberAccessExprSyntax) {
      let prefix = "bundleIdentifier("
      let known = conditions.first { $0.hasPrefix(prefix) }
        .map { Literal.text(String($0.dropFirst(prefix.count).dropLast())) }
      let isMain = node.base?.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "main"
      let name = known ?? (isMain ? "\"com.apple.dt.xctest.tool\"" : "nil")
      edits.replace(
        node.declName.baseName.bytes, with: "identifier(saidToBe: \(name), for: #fileID)")
    }

    /// Types of Foundation on Apple's systems that are Core Data's here.
    private static let elsewhere: Set<String> = [
      "ValueTransformer", "NSValueTransformerName", "NSPredicate", "NSComparisonPredicate",
      "NSCompoundPredicate", "NSExpression", "NSSortDescriptor", "UndoManager",
      "NSKeyValueObservation", "NSKeyValueObservedChange", "NSKeyValueObservingOptions",
      "NSKeyValueChange", "NSKeyValueChangeKey",
    ]

    /// Requalifies the name of a type such as `Foundation.ValueTransformer`.
    func rewriteType(_ node: MemberTypeSyntax) {
      guard node.baseType.trimmedDescription == "Foundation",
        Self.elsewhere.contains(node.name.text)
      else { return }
      edits.replace(node.baseType.bytes, with: "ObjectiveCSupport")
    }

    /// Classes of Core Data whose subclasses need not declare the initializers: Objective-C
    /// resolves `self.init` at run time.
    private static let ofCoreData: Set<String> = [
      "NSPersistentStoreCoordinator", "NSManagedObjectContext", "NSManagedObjectModel",
      "NSEntityDescription", "NSPersistentStoreDescription", "NSMappingModel",
    ]

    /// Rewrites `self.init(…)` in a class method of an extension of one of these classes, and
    /// `type.init(…)` for a parameter that is the metatype of one.
    private func rewriteDynamicInitializer(_ node: MemberAccessExprSyntax) {
      guard let base = node.base else { return }
      guard ["self", "Self"].contains(base.trimmedDescription) else {
        return rewriteInitializer(ofMetatype: base, node)
      }
      guard let scope = scopes.last?.scope, scope.kind == .anExtension,
        Self.ofCoreData.contains(scope.name), node.isInTypeMethod
      else { return }
      edits.replace(base.bytes, with: scope.name)
    }

    /// Rewrites `type.init(managedObjectModel: model)` to a call of the class itself, cast to the
    /// generic parameter if there is one: a subclass is not made here.
    private func rewriteInitializer(ofMetatype base: ExprSyntax, _ node: MemberAccessExprSyntax) {
      guard let name = base.as(DeclReferenceExprSyntax.self)?.baseName.plainText,
        let call = node.parent?.as(FunctionCallExprSyntax.self),
        let type = node.metatype(ofParameter: name),
        Self.ofCoreData.contains(type.bound) || type.bound == "NSPersistentContainer"
      else { return }
      edits.replace(base.bytes, with: type.bound)
      guard type.name != type.bound else { return }
      edits.insert("(", at: call.bytes.lowerBound)
      edits.insert(" as! \(type.name))", at: call.bytes.upperBound)
    }

    /// Functions of Foundation that do not know the names of `@objc(…)`, with replacements.
    private static let functions = [
      "NSClassFromString": "classNamed", "NSStringFromClass": "nameOfClass",
    ]

    func rewriteReference(_ node: DeclReferenceExprSyntax) {
      if node.baseName.text == "_kvcKeyPathString",
        node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id
      {
        return edits.replace(node.baseName.bytes, with: "objectiveCKeyPath")
      }
      if node.baseName.text == "Bundle", let call = node.parent?.as(FunctionCallExprSyntax.self),
        call.calledExpression.id == node.id, call.arguments.first?.label?.text == "identifier"
      {
        return edits.replace(node.baseName.bytes, with: "ObjectiveCSupport.bundle")
      }
      if node.baseName.text == "Progress",
        node.parent?.as(FunctionCallExprSyntax.self)?
          .calledExpression.id == node.id, !project.isDeclared("Progress")
      {
        return edits.replace(node.baseName.bytes, with: "ObjectiveCSupport.ObservableProgress")
      }
      if node.baseName.text == "ProcessInfo",
        let call = node.parent?.as(FunctionCallExprSyntax.self),
        call.calledExpression.id == node.id, call.arguments.isEmpty
      {
        // There is only one process; Foundation creates no other object here.
        return edits.replace(call.bytes, with: "ProcessInfo.processInfo")
      }
      if node.argumentNames == nil, rewriteUninitialized(ExprSyntax(node)) { return }
      if let call = node.parent?.as(FunctionCallExprSyntax.self), call.isWithoutArguments,
        call.calledExpression.id == node.id, node.baseName.text.first?.isUppercase ?? false,
        project.isSessionWithoutInitializer(named: node.baseName.plainText)
      {
        // The initializer without a configuration is there on Apple's systems only.
        edits.insert("configuration: .default", at: call.leftParen!.bytes.upperBound)
      }
      if node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id,
        rewriteExposedName(node.baseName)
      {
        return
      }
      guard let function = Self.functions[node.baseName.text],
        node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id
      else { return }
      edits.replace(node.baseName.bytes, with: "ObjectiveCSupport.\(function)")
    }

    // MARK: - Casts

    /// Generic classes whose type parameters Objective-C ignores in casts.
    static let erased: Set<String> = [
      "NSFetchRequest", "NSFetchedResultsController", "NSAsynchronousFetchRequest",
      "NSAsynchronousFetchResult",
    ]

    func rewriteCast(_ node: AsExprSyntax) {
      if rewriteMutableCast(node) { return }
      rewriteMutableCopy(node)
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

    /// Rewrites `value(forKey: key) as? NSMutableSet` to `mutableSetValue(forKey: key)`: here the
    /// value of a to-many relationship is a copy.
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

    // MARK: - Texts

    /// Names the application's bundle in `NSLocalizedString("key", comment: "")` and in
    /// `String(localized: "key")`, which look in the main bundle otherwise.
    func rewriteLocalization(_ node: FunctionCallExprSyntax) {
      guard let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
        !node.arguments.contains(where: { $0.label?.text == "bundle" }),
        let first = node.arguments.first
      else { return }
      let bundle = "bundle: ObjectiveCSupport.mainBundle(for: #fileID)"
      switch (name, first.label?.text) {
      case ("NSLocalizedString", nil):
        guard
          let next = node.arguments.first(where: { ["value", "comment"].contains($0.label?.text) })
        else { return }
        edits.insert(bundle + ", ", at: next.bytes.lowerBound)
      case ("String", "localized") where first.expression.is(StringLiteralExprSyntax.self):
        let next = node.arguments.first { ["locale", "comment"].contains($0.label?.text) }
        guard let next else {
          edits.insert(", " + bundle, at: node.arguments.last!.expression.bytes.upperBound)
          return
        }
        edits.insert(bundle + ", ", at: next.bytes.lowerBound)
      default: return
      }
    }

    // MARK: - Any object

    private static let keyed: Set<String> = Set(
      [
        ["forKey"], ["forKeyPath"], ["_", "forKey"], ["_", "forKeyPath"],
      ].map { ProjectFacts.fullName($0.count == 1 ? "value" : "setValue", labels: $0) }
        + [ProjectFacts.fullName("isEqual", labels: ["_"])])

    /// Rewrites `(x as AnyObject).value(forKey: key)`, and `x.value(forKey: key)` for a local
    /// object of any class, to `ObjectiveCSupport.keyed(x).value(forKey: key)`.
    func rewriteKeyedAccess(_ node: FunctionCallExprSyntax) {
      guard let member = node.calledExpression.as(MemberAccessExprSyntax.self),
        Self.keyed.contains(
          ProjectFacts.fullName(
            member.declName.baseName.text, labels: node.arguments.map { $0.label?.text ?? "_" }))
      else { return }
      if let name = member.base?.as(DeclReferenceExprSyntax.self), name.isOfAnyClass {
        edits.insert("ObjectiveCSupport.keyed(", at: name.bytes.lowerBound)
        edits.insert(")", at: name.bytes.upperBound)
        return
      }
      guard let tuple = member.base?.as(TupleExprSyntax.self), tuple.elements.count == 1,
        let cast = tuple.elements.first?.expression.as(AsExprSyntax.self),
        cast.questionOrExclamationMark == nil, cast.type.trimmedDescription == "AnyObject"
      else { return }
      edits.insert("ObjectiveCSupport.keyed", at: tuple.bytes.lowerBound)
      edits.remove(cast.expression.bytes.upperBound..<cast.bytes.upperBound)
    }

    /// Rewrites `JSONSerialization.jsonObject(with: data, options: .mutableContainers)` where it is
    /// cast to a mutable class.
    func rewriteMutableJSON(_ node: FunctionCallExprSyntax) {
      guard let member = node.calledExpression.as(MemberAccessExprSyntax.self),
        member.base?.trimmedDescription == "JSONSerialization",
        member.declName.baseName.text == "jsonObject",
        node.arguments.contains(where: {
          $0.label?.text == "options" && $0.expression.trimmedDescription.contains("mutable")
        }),
        let cast = node.parent?.as(AsExprSyntax.self),
        ["AnyObject", "NSMutableArray", "NSMutableDictionary"].contains(
          cast.type.trimmedDescription)
      else { return }
      edits.replace(member.bytes, with: "ObjectiveCSupport.mutableJSONObject")
    }

    // MARK: - Blocks

    /// Rewrites `unsafeBitCast(block, to: AnyObject.self)`: a closure is no object here, but can be
    /// boxed in one.
    func rewriteBlockCast(_ node: FunctionCallExprSyntax) {
      guard node.calledExpression.trimmedDescription == "unsafeBitCast", node.arguments.count == 2,
        let value = node.arguments.first, let type = node.arguments.last,
        type.label?.text == "to", type.expression.trimmedDescription == "AnyObject.self"
      else { return }
      edits.replace(node.bytes.lowerBound..<value.expression.bytes.lowerBound, with: "(")
      edits.replace(
        value.expression.bytes.upperBound..<node.bytes.upperBound, with: " as AnyObject)")
    }

    // MARK: - Tests

    private static let waiting: [String: Set<String>] = [
      "wait": ["for"], "fulfillment": ["of"],
    ]

    /// Adds a timeout of a day to `wait(for: expectations)`, which waits indefinitely on Apple's
    /// systems; XCTest requires a timeout here.
    func rewriteWaiting(_ node: FunctionCallExprSyntax) {
      let name =
        node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
        ?? node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      guard let name, let labels = Self.waiting[name], node.arguments.count == 1,
        let argument = node.arguments.first, labels.contains(argument.label?.text ?? ""),
        node.trailingClosure == nil, isTest
      else { return }
      edits.insert(", timeout: 86_400", at: argument.expression.bytes.upperBound)
    }

    // MARK: - Undo

    /// Rewrites `(undoManager.prepare(withInvocationTarget: self) as AnyObject).setTitle(old)` to
    /// `undoManager.prepareInvocation(self, old) { $0.setTitle($1) }`.
    func rewriteInvocation(_ node: FunctionCallExprSyntax) {
      guard let preparation = Preparation(node) else {
        if node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
          == "prepare",
          node.arguments.first?.label?.text == "withInvocationTarget",
          !node.isPrepared
        {
          remark(
            at: node, reason: "what is prepared here is not called in the same expression",
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

    /// The parts of a call that an undo manager records.
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
    fileprivate var isCalled: Bool {
      parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == id
    }

    /// Whether the enclosing function or property is a type member.
    fileprivate var isInTypeMethod: Bool {
      var node = parent
      while let current = node {
        if let function = current.as(FunctionDeclSyntax.self) {
          return function.modifiers.has("static") || function.modifiers.has("class")
        }
        if let property = current.as(VariableDeclSyntax.self), property.isMember {
          return property.modifiers.has("static") || property.modifiers.has("class")
        }
        if current.is(InitializerDeclSyntax.self) { return false }
        node = current.parent
      }
      return false
    }

    /// The type whose metatype a parameter of an enclosing function is, as `T` for `type: T.Type`,
    /// and the class that a generic parameter is bound to.
    fileprivate func metatype(ofParameter name: String) -> (name: String, bound: String)? {
      var node = parent
      while let current = node {
        node = current.parent
        let function = current.as(FunctionDeclSyntax.self)
        let initializer = current.as(InitializerDeclSyntax.self)
        let signature = function?.signature ?? initializer?.signature
        let parameter = signature?.parameterClause.parameters.first {
          ($0.secondName ?? $0.firstName).text == name
        }
        guard let parameter else { continue }
        guard let type = parameter.type.as(MetatypeTypeSyntax.self),
          type.metatypeSpecifier.text == "Type"
        else { return nil }
        let inner = type.baseType.trimmedDescription
        let generic = (function?.genericParameterClause ?? initializer?.genericParameterClause)?
          .parameters.first { $0.name.text == inner }
        guard let generic else { return (inner, inner) }
        let clause = function?.genericWhereClause ?? initializer?.genericWhereClause
        let bounds = clause?.requirements.compactMap { requirement in
          requirement.requirement.as(ConformanceRequirementSyntax.self)
        }
        let bound =
          generic.inheritedType?.trimmedDescription
          ?? bounds?.first { $0.leftType.trimmedDescription == inner }?.rightType.trimmedDescription
        return bound.map { (inner, $0) }
      }
      return nil
    }

    fileprivate func isCalled(with label: String) -> Bool {
      parent?.as(FunctionCallExprSyntax.self)?.arguments.first?.label?.text == label
    }
  }

  extension DeclReferenceExprSyntax {
    /// Whether the name is a local variable or a parameter that is an `AnyObject`.
    fileprivate var isOfAnyClass: Bool {
      var node = parent
      while let current = node {
        if let statements = current.as(CodeBlockItemListSyntax.self) {
          for statement in statements where statement.position < position {
            guard let variable = statement.item.as(VariableDeclSyntax.self),
              let binding = variable.bindings.first(where: {
                $0.pattern.trimmedDescription == baseName.text
              })
            else { continue }
            return binding.isOfAnyClass
          }
        }
        let parameters =
          current.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters
          ?? current.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters
        if let parameter = parameters?.first(where: {
          ($0.secondName ?? $0.firstName).text == baseName.text
        }) {
          return parameter.type.trimmedDescription == "AnyObject"
        }
        if current.asProtocol((any DeclGroupSyntax).self) != nil { return false }
        node = current.parent
      }
      return false
    }
  }

  extension PatternBindingSyntax {
    /// Whether the variable is declared as an `AnyObject`, or its value is cast to that.
    fileprivate var isOfAnyClass: Bool {
      if let type = typeAnnotation?.type { return type.trimmedDescription == "AnyObject" }
      var value = initializer?.value
      while let tried = value?.as(TryExprSyntax.self) {
        guard tried.questionOrExclamationMark?.text != "?" else { return false }
        value = tried.expression
      }
      guard let cast = value?.as(AsExprSyntax.self) else { return false }
      return cast.type.trimmedDescription == "AnyObject"
        && cast.questionOrExclamationMark?.text != "?"
    }
  }

  extension FunctionCallExprSyntax {
    /// Whether the call has empty parentheses and nothing else.
    var isWithoutArguments: Bool {
      leftParen != nil && arguments.isEmpty && trailingClosure == nil
    }

    /// Whether another call is made on the result of this one.
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
