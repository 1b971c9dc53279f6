#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    /// Makes a `dynamic` property notify its observers, as the setter does that Objective-C
    /// substitutes when a property is observed.
    func tellObservers(_ node: VariableDeclSyntax) {
      guard let scope = scopes.last?.scope, scope.kind == .aClass || scope.kind == .anExtension,
        node.bindingSpecifier.text == "var",
        !node.modifiers.has("static"), !node.modifiers.has("class"),
        !node.attributes.has("NSManaged")
      else { return }
      let isDynamic =
        node.modifiers.has("dynamic")
        && (scope.exposes(node.attributes, modifiers: node.modifiers)
          || project.exposesMembers(scope.name))
      // An override of an observable property notifies as well.
      let inherited =
        node.modifiers.has("override") ? project.observableProperties(above: scope.name) : []
      if isDynamic { separate(node) }
      for binding in node.bindings {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
          continue
        }
        let above = inherited.first { $0.name == name.plainText }?.key
        guard isDynamic || above != nil else { continue }
        let key = Literal.text(above ?? node.attributes.objectiveCName ?? name.plainText)
        tellObservers(
          binding, will: "ObjectiveCSupport.willSet(self, \(key))",
          did: "ObjectiveCSupport.didSet(self, \(key))"
        )
      }
    }

    private func tellObservers(_ binding: PatternBindingSyntax, will: String, did: String) {
      guard let block = binding.accessorBlock else {
        return edits.insert(
          " { willSet { \(will) } didSet { \(did) } }", at: endOfValue(binding))
      }
      guard case .accessors(let accessors) = block.accessors else { return }
      func body(_ name: String) -> CodeBlockSyntax? {
        accessors.first { $0.accessorSpecifier.text == name }?.body
      }
      if let setter = body("set") {
        edits.insert(
          " \(will); defer { \(did) };", at: setter.leftBrace.bytes.upperBound)
      } else if body("willSet") != nil || body("didSet") != nil {
        let start = block.leftBrace.bytes.upperBound
        if let observer = body("willSet") {
          edits.insert(" \(will);", at: observer.leftBrace.bytes.upperBound)
        } else {
          edits.insert(" willSet { \(will) }", at: start)
        }
        if let observer = body("didSet") {
          edits.insert(" defer { \(did) };", at: observer.leftBrace.bytes.upperBound)
        } else {
          edits.insert(" didSet { \(did) }", at: start)
        }
      }
    }

    private func endOfValue(_ binding: PatternBindingSyntax) -> Int {
      (binding.initializer?.bytes ?? binding.typeAnnotation?.bytes ?? binding.pattern.bytes)
        .upperBound
    }

    /// Splits `dynamic var a = 1, b: Int` into two declarations, since a declaration with property
    /// observers may have only one variable.
    private func separate(_ node: VariableDeclSyntax) {
      guard node.bindings.count > 1 else { return }
      let modifiers = node.modifiers.filter { $0.name.text != "dynamic" }
        .map { $0.trimmedDescription + " " }.joined()
      let bindings = Array(node.bindings)
      for (index, binding) in bindings.enumerated() {
        if binding.typeAnnotation == nil, binding.initializer == nil,
          let type = bindings[index...].compactMap(\.typeAnnotation).first
        {
          // The property observers follow the type.
          edits.insert(": \(type.type.trimmedDescription)", at: binding.pattern.bytes.upperBound)
        }
        if let comma = binding.trailingComma {
          edits.replace(comma.bytes, with: "; \(modifiers)var")
        }
      }
    }
  }
#endif
