#if PortedSources
  import SwiftSyntax

  // Overridable methods that `NSObject` has on Apple's systems only: key-value coding and
  // observing.

  /// A method of `NSObject` that a class may override.
  private struct InheritedMethod {
    let name: String
    /// The text between `func` and the body.
    let head: String
    let call: String
    var isOfClass = false

    static let all = [
      InheritedMethod(
        name: "value(forKey:)", head: "value(forKey key: String) -> Any?",
        call: "value(forKey: key)"),
      InheritedMethod(
        name: "setValue(_:forKey:)", head: "setValue(_ value: Any?, forKey key: String)",
        call: "setValue(value, forKey: key)"),
      InheritedMethod(
        name: "value(forUndefinedKey:)", head: "value(forUndefinedKey key: String) -> Any?",
        call: "value(forUndefinedKey: key)"),
      InheritedMethod(
        name: "setValue(_:forUndefinedKey:)",
        head: "setValue(_ value: Any?, forUndefinedKey key: String)",
        call: "setValue(value, forUndefinedKey: key)"),
      InheritedMethod(
        name: "setNilValueForKey(_:)", head: "setNilValueForKey(_ key: String)",
        call: "setNilValueForKey(key)"),
      InheritedMethod(
        name: "value(forKeyPath:)", head: "value(forKeyPath keyPath: String) -> Any?",
        call: "value(forKeyPath: keyPath)"),
      InheritedMethod(
        name: "setValue(_:forKeyPath:)",
        head: "setValue(_ value: Any?, forKeyPath keyPath: String)",
        call: "setValue(value, forKeyPath: keyPath)"),
      InheritedMethod(
        name: "setValuesForKeys(_:)", head: "setValuesForKeys(_ keyedValues: [String: Any])",
        call: "setValuesForKeys(keyedValues)"),
      InheritedMethod(
        name: "dictionaryWithValues(forKeys:)",
        head: "dictionaryWithValues(forKeys keys: [String]) -> [String: Any]",
        call: "dictionaryWithValues(forKeys: keys)"),
      InheritedMethod(
        name: "keyPathsForValuesAffectingValue(forKey:)",
        head: "keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>",
        call: "keyPathsForValuesAffectingValue(forKey: key)", isOfClass: true),
      InheritedMethod(
        name: "automaticallyNotifiesObservers(forKey:)",
        head: "automaticallyNotifiesObservers(forKey key: String) -> Bool",
        call: "automaticallyNotifiesObservers(forKey: key)", isOfClass: true),
      observing,
    ]

    static let observing = InheritedMethod(
      name: "observeValue(forKeyPath:of:change:context:)",
      head: "observeValue(forKeyPath keyPath: String?, of object: Any?, "
        + "change: [ObjectiveCSupport.NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?)",
      call: "observeValue(forKeyPath: keyPath, of: object, change: change, context: context)")

    /// An overridable method that Foundation's `NSObject` lacks; `super` is never called for it.
    static let withoutDefault = "responds(to:)"

    /// Base names of methods that may be called on `super`, also without an override.
    static let baseNames: Set<String> = Set(all.map { String($0.name.prefix { $0 != "(" }) })
      .union(["willChangeValue", "didChangeValue", "validateValue"]).subtracting(["observeValue"])
  }

  extension SourceRewriter {
    /// Adds the missing methods and conformances of `NSObject` to a direct subclass of it, as far
    /// as the class or its subclasses use them. Subclasses below it need no change then.
    func conform(_ node: ClassDeclSyntax) {
      guard let scope = scopes.last?.scope, scope.inherited.first == "NSObject",
        let first = node.inheritanceClause?.inheritedTypes.first
      else { return nameInherited(node) }
      var own: [String: FunctionDeclSyntax] = [:]
      for member in node.memberBlock.members {
        guard let function = member.decl.as(FunctionDeclSyntax.self) else { continue }
        own[ProjectFacts.fullName(function.name.text, labels: function.labels)] = function
      }
      var isKeyed = project.hasExposedMembers(scope.name) || scopes.last?.members.isEmpty == false
      var isObserver = false
      for method in InheritedMethod.all {
        let overrides = own[method.name]?.modifiers.first { $0.name.text == "override" }
        let isBelow =
          own[method.name] == nil
          && project.isDeclared(method.name, belowClass: scope.name)
        guard overrides != nil || isBelow else { continue }
        if method.name == InheritedMethod.observing.name {
          isObserver = true
        } else {
          isKeyed = true
        }
        if let overrides { edits.remove(overrides.bytes) } else { add(method, to: node) }
      }
      if let override = own[InheritedMethod.withoutDefault]?.modifiers.first(where: {
        $0.name.text == "override"
      }) {
        edits.remove(override.bytes)
      }
      let conformances =
        (isObserver ? ", KeyValueObserver" : "")
        + (isKeyed ? ", ObjectiveCSupport.ObjectiveCObject" : "")
      if !conformances.isEmpty { edits.insert(conformances, at: first.type.bytes.upperBound) }
    }

    private func add(_ method: InheritedMethod, to node: ClassDeclSyntax) {
      let access = node.modifiers.map(\.name.text).first {
        ["public", "open", "package"].contains($0)
      }
      let body =
        method.name == InheritedMethod.observing.name
        ? "ObjectiveCSupport.unhandledObservation(forKeyPath: keyPath, of: object, change: change, context: context)"
        : "ObjectiveCSupport.inherited(self).\(method.call)"
      scopes[scopes.count - 1].additions.append(
        "nonisolated \(access.map { $0 + " " } ?? "")\(method.isOfClass ? "class " : "")func \(method.head) { \(body) }"
      )
    }

    /// Registers inherited observable properties: key paths rooted at a subclass differ from those
    /// of its superclass.
    private func nameInherited(_ node: ClassDeclSyntax) {
      guard let scope = scopes.last?.scope, scope.kind == .aClass, !isLate(scope) else { return }
      for (name, key) in project.observableProperties(above: scope.name) {
        if project.isOnMainActor(scope.name) {
          nameOnMain(key, name: name, scope: scope, on: nil)
        } else {
          scopes[scopes.count - 1].members.append(
            "c.path(\(Literal.text(key)), \\\(scope.reference).\(name))")
        }
      }
    }

    /// Registers a key path to a property of the main actor. It is created there: classes are
    /// registered on the main thread.
    func nameOnMain(
      _ key: String, name: String, scope: TypeScope, on property: VariableDeclSyntax?
    ) {
      guard !isLate(scope) else { return }
      let statement =
        "MainActor.assumeIsolated { ObjectiveCSupport.ObjectiveCClass(\(scope.reference).self).path(\(Literal.text(key)), \\\(scope.reference).\(name)) }"
      scopes[scopes.count - 1].members.append(
        property.map { conditional(statement, on: $0) } ?? statement)
    }

    /// Replaces `super` in calls such as `super.value(forKey: key)`, if the superclass lacks the
    /// method.
    func rewriteSuper(_ node: MemberAccessExprSyntax) {
      guard let base = node.base, base.is(SuperExprSyntax.self),
        InheritedMethod.baseNames.contains(node.declName.baseName.plainText),
        let scope = scopes.last?.scope,
        project.superclass(named: scope.name) == "NSObject"
      else { return }
      edits.replace(base.bytes, with: "ObjectiveCSupport.inherited(self)")
    }

    // MARK: - Class members that key-value observing calls

    private static let questions = [
      "keyPathsForValuesAffecting", "automaticallyNotifiesObserversOf",
    ]

    func exposeClassAnswer(
      _ name: TokenSyntax, call: String, attributes: AttributeListSyntax,
      modifiers: DeclModifierListSyntax, of node: some DeclSyntaxProtocol
    ) {
      guard let scope = scopes.last?.scope, scope.kind != .aProtocol,
        modifiers.has("static") || modifiers.has("class"),
        Self.questions.contains(where: { name.text.hasPrefix($0) && name.text != $0 }),
        scope.exposes(attributes, modifiers: modifiers) || project.exposesMembers(scope.name)
      else { return }
      let isOnMain =
        attributes.has("MainActor")
        || (project.isOnMainActor(scope.name) && !modifiers.has("nonisolated"))
      scopes[scopes.count - 1].members.append(
        conditional(
          "c.classAnswer(\(Literal.text(name.plainText)),\(isOnMain ? " onMainActor:" : "") { \(scope.reference).\(name.text)\(call) })",
          on: node))
    }
  }
#endif
