#if PortedSources
  import SwiftSyntax

  /// Registration of a type's or an extension's members for Objective-C. The calls go into a
  /// function after its members, where private ones are visible.
  struct Exposure {
    let scope: TypeScope
    /// The number of the type or extension in its file.
    let number: Int
    /// Statements that register members.
    var members: [String] = []
    /// Calls of the functions of nested types.
    var nested: [String] = []
    var objectiveCName: String?
    /// The file name of a class that archives need a name for; nil for other types.
    var archivedFrom: String?
    /// Declarations to add to the class.
    var additions: [String] = []
    /// Selectors in a type that cannot be registered before `main`: it is registered where they are
    /// created.
    var lateSelectors: [(place: Range<Int>, text: String)] = []

    /// Whether selectors in extensions of the type need its function: a generic class, which is
    /// registered where they are created.
    var isShared = false

    var function: String {
      isShared ? Self.sharedFunction(of: scope) : "__objectiveC\(number)"
    }

    static func sharedFunction(of scope: TypeScope) -> String {
      "__objectiveCMembersOf\(scope.name.split(separator: ".").joined(separator: "_"))"
    }

    /// Whether the type itself is registered under a name.
    private var isNamed: Bool { objectiveCName != nil || archivedFrom != nil }

    var isEmpty: Bool { members.isEmpty && nested.isEmpty && !isNamed }

    var text: String {
      let name = objectiveCName.map { ", name: \(Literal.text($0))" } ?? ""
      let file = archivedFrom.map { ", archivedFrom: \(Literal.text($0))" } ?? ""
      let own =
        members.isEmpty && !isNamed
        ? []
        : [
          "\(members.isEmpty ? "_" : "let c") = ObjectiveCSupport.ObjectiveCClass(\(scope.reference).self\(name)\(file))"
        ]
      // If all members are conditional, the constant may be unused.
      let use = members.contains { $0.hasPrefix("\n") } ? ["_ = c"] : []
      return "nonisolated \(isShared ? "" : "fileprivate ")static func \(function)() { "
        + (own + use + members + nested).joined + " }"
    }
  }

  extension SourceRewriter {
    func close(_ node: some DeclGroupSyntax) {
      var exposure = scopes.removeLast()
      let scope = exposure.scope
      exposure.objectiveCName = scope.kind == .aClass ? scope.attributes.objectiveCName : nil
      exposure.isShared =
        scope.kind == .aClass && scope.isGeneric && !scope.isLocal
        && project.hasExposedMembers(scope.name)
      let isThere = exposure.isShared || !exposure.isEmpty
      var functions = isThere ? [exposure.function] : []
      if !exposure.lateSelectors.isEmpty, scope.kind == .anExtension,
        project.isGeneric(scope.name), project.hasExposedMembers(scope.name)
      {
        functions.append(Exposure.sharedFunction(of: scope))
      }
      let calls = functions.map { "\(scope.reference).\($0)()" }.joined(separator: "; ")
      for selector in exposure.lateSelectors {
        edits.replace(
          selector.place,
          with: calls.isEmpty
            ? selector.text : "ObjectiveCSupport.known(\(selector.text)) { \(calls) }")
      }
      let declarations = exposure.additions + (isThere ? [exposure.text] : [])
      guard !declarations.isEmpty else { return }
      let block = node.memberBlock
      let leading = block.rightBrace.leadingTrivia.containsNewline
      let separator = block.members.isEmpty || leading ? "" : "; "
      edits.insert(
        keepingLines(separator + declarations.joined + " ", before: block.rightBrace),
        at: block.rightBrace.bytes.lowerBound)
      guard !exposure.isEmpty, !isLate(scope) else { return }
      let call = conditional("\(scope.reference).\(exposure.function)()", on: node)
      if scopes.isEmpty {
        registrations.append(call)
      } else {
        scopes[scopes.count - 1].nested.append(call)
      }
    }

    /// Returns true if the type is generic or local: no single type can be registered before
    /// `main`.
    func isLate(_ scope: TypeScope) -> Bool {
      scope.isLocal || scope.isGeneric || project.isGeneric(scope.name)
        || Self.erased.contains(scope.name)
    }

    // MARK: - Functions

    func expose(_ node: FunctionDeclSyntax) {
      if node.labels.isEmpty {
        exposeClassAnswer(
          node.name, call: "()", attributes: node.attributes, modifiers: node.modifiers, of: node)
      }
      guard let exposure = scopes.last, exposure.scope.kind != .aProtocol,
        isExposed(node, in: exposure.scope), isCallable(node)
      else { return }
      let name = node.name.text
      let labels = node.labels
      let selector =
        node.attributes.objectiveCName
        ?? SelectorName.method(node.name.plainText, labels: labels, isThrowing: node.isThrowing)
      let parameters = node.signature.parameterClause.parameters
      let arguments = parameters.map { parameter in
        let label = parameter.firstName.text
        return (label == "_" ? "" : "\(label): ") + "a.next((\(typeText(parameter.type))).self)"
      }
      let isOnMain =
        node.attributes.has("MainActor") || isOnMainActor(exposure.scope, modifiers: node.modifiers)
      scopes[scopes.count - 1].members.append(
        conditional(
          "c.method(\(Literal.text(selector)), \(labels.count)\(isOnMain ? ", onMainActor:" : ",") "
            + "{ o, \(labels.isEmpty ? "_" : "a") in \(node.isThrowing ? "try " : "")o.\(name)(\(arguments.joined(separator: ", "))) })",
          on: node))
    }

    /// The text of a parameter's type as the type of a value.
    private func typeText(_ type: TypeSyntax) -> String {
      if let attributed = type.as(AttributedTypeSyntax.self) {
        return typeText(attributed.baseType)
      }
      if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        return typeText(unwrapped.wrappedType) + "?"
      }
      var text = TextEdits(Array(edits.text(of: type.bytes, keepsLines: false).utf8))
      let parsed = ParameterNames.ranges(in: String(decoding: text.original, as: UTF8.self))
      for range in parsed { text.remove(range) }
      return text.text(of: 0..<text.original.count, keepsLines: false).oneLine
    }

    private func isExposed(_ node: FunctionDeclSyntax, in scope: TypeScope) -> Bool {
      if scope.exposes(node.attributes, modifiers: node.modifiers) { return true }
      guard scope.kind == .aClass || scope.kind == .anExtension, !node.attributes.has("nonobjc"),
        !node.modifiers.has("private"), !node.modifiers.has("fileprivate")
      else { return false }
      return project.exposesMembers(scope.name)
        || project.isWitness(node.name.plainText, labels: node.labels, of: scope.name)
    }

    /// Returns true if Objective-C could call the method, and its arguments can be passed as
    /// values.
    private func isCallable(_ node: FunctionDeclSyntax) -> Bool {
      let signature = node.signature
      guard !node.modifiers.has("static"), !node.modifiers.has("class"),
        node.genericParameterClause == nil, node.genericWhereClause == nil,
        signature.effectSpecifiers?.asyncSpecifier == nil,
        signature.effectSpecifiers?.throwsClause?.throwsSpecifier.text != "rethrows",
        !isUnavailable(node.attributes), case .identifier = node.name.tokenKind
      else { return false }
      return signature.parameterClause.parameters.allSatisfy { parameter in
        let type = parameter.type.trimmedDescription
        return parameter.ellipsis == nil
          && !["inout ", "some ", "@autoclosure", "isolated ", "repeat "].contains {
            type.hasPrefix($0)
          }
      }
    }

    private func isUnavailable(_ attributes: AttributeListSyntax) -> Bool {
      attributes.all.contains {
        $0.name == "available"
          && ($0.arguments?.trimmedDescription.contains("unavailable") ?? false)
      }
    }

    private func isOnMainActor(_ scope: TypeScope, modifiers: DeclModifierListSyntax) -> Bool {
      guard !modifiers.has("nonisolated") else { return false }
      return scopes.last?.scope.attributes.has("MainActor") ?? false
        || project.isOnMainActor(scope.name)
    }

    // MARK: - Properties

    func expose(_ node: VariableDeclSyntax) {
      for binding in node.bindings {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
          continue
        }
        exposeClassAnswer(
          name, call: "", attributes: node.attributes, modifiers: node.modifiers, of: node)
      }
      guard let exposure = scopes.last, exposure.scope.kind != .aProtocol,
        !node.attributes.has("NSManaged"), !node.modifiers.has("static"),
        !node.modifiers.has("class"), !isUnavailable(node.attributes),
        isExposed(node, in: exposure.scope)
      else { return }
      let isOnMain =
        node.attributes.has("MainActor") || isOnMainActor(exposure.scope, modifiers: node.modifiers)
      for binding in node.bindings {
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
          !binding.hasEffects
        else { continue }
        let name = pattern.identifier.text
        let key = node.attributes.objectiveCName ?? pattern.identifier.plainText
        let access: String
        if isOnMain {
          let set = binding.isSettable(node.bindingSpecifier) ? ", { $0.\(name) = $1 }" : ""
          access = "onMainActor: { $0.\(name) }\(set)"
          if node.modifiers.has("dynamic") {
            nameOnMain(key, name: name, scope: exposure.scope, on: node)
          }
        } else {
          access = "\\\(exposure.scope.reference).\(name)"
        }
        scopes[scopes.count - 1].members.append(
          conditional("c.property(\(Literal.text(key)), \(access))", on: node))
      }
    }

    private func isExposed(_ node: VariableDeclSyntax, in scope: TypeScope) -> Bool {
      if scope.exposes(node.attributes, modifiers: node.modifiers) { return true }
      return (scope.kind == .aClass || scope.kind == .anExtension)
        && !node.attributes.has("nonobjc") && !node.modifiers.has("private")
        && !node.modifiers.has("fileprivate")
        && (project.exposesMembers(scope.name)
          || node.names.contains { project.isWitness($0, labels: nil, of: scope.name) })
    }

    // MARK: - Classes

    /// Removes `private` from `init(entity:insertInto:)`: on Apple's systems Core Data calls it
    /// whatever its access in Swift.
    func showToCoreData(_ node: InitializerDeclSyntax) {
      let labels = node.signature.parameterClause.parameters.map { $0.firstName.text }
      guard labels == ["entity", "insertInto"] else { return }
      for modifier in node.modifiers where ["private", "fileprivate"].contains(modifier.name.text) {
        edits.remove(modifier.bytes)
      }
    }

    // MARK: - Overrides in extensions

    /// Removes an override from an extension, which Swift does not allow here; `takeOverrides` adds
    /// it to the class.
    func moveOverride(_ node: some DeclSyntaxProtocol) {
      guard let scope = scopes.last?.scope, scope.kind == .anExtension else { return }
      guard project.isDeclared(scope.name) else {
        return remark(
          at: node,
          reason:
            "an extension cannot override here, and \(scope.name) is declared in no source that is ported",
          remedy: "declare it in the class")
      }
      edits.replace(node.bytes, with: "")
    }

    /// Adds overrides from extensions to the class.
    func takeOverrides(_ node: ClassDeclSyntax) {
      guard let scope = scopes.last?.scope else { return }
      let overrides = project.overrides(of: scope.name)
      guard !overrides.isEmpty else { return }
      let brace = node.memberBlock.rightBrace
      let text = overrides.map { override in
        let place =
          "#sourceLocation(file: \(Literal.text(override.path)), line: \(override.line))\n"
        guard let condition = override.condition else {
          return "\n" + place + ported(override.text, in: scope, path: override.path)
        }
        let copy = ported(
          "#if \(condition)\n\(override.text)\n#endif", in: scope, path: override.path)
        let lines = copy.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return "\n\(lines[0])\n\(place)\(lines[1])"
      }.joined()
      edits.insert(keepingLines(text, before: brace), at: brace.bytes.lowerBound)
    }

    private func ported(_ member: String, in scope: TypeScope, path: String) -> String {
      let source = ParsedSource(text: "class \(scope.written) {\n\(member)\n}", path: path)
      return SourceRewriter(source: source, project: ProjectFacts([]), conditions: conditions)
        .member()
    }

    /// The ported members of the text's only class.
    private func member() -> String {
      walk(source.tree)
      let text = edits.text(of: 0..<source.bytes.count).split(
        separator: "\n", omittingEmptySubsequences: false)
      return text.dropFirst().dropLast().joined(separator: "\n")
    }
  }

  extension PatternBindingSyntax {
    /// Whether reading the property may throw or suspend; Objective-C cannot see it then.
    fileprivate var hasEffects: Bool {
      guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
      return accessors.contains { $0.effectSpecifiers != nil }
    }

    fileprivate func isSettable(_ keyword: TokenSyntax) -> Bool {
      guard keyword.text == "var" else { return false }
      guard let block = accessorBlock else { return true }
      guard case .accessors(let accessors) = block.accessors else { return false }
      return accessors.contains {
        ["set", "willSet", "didSet", "_modify", "modify"].contains($0.accessorSpecifier.text)
      }
    }
  }

  extension Trivia {
    fileprivate var containsNewline: Bool {
      contains {
        switch $0 {
        case .newlines, .carriageReturnLineFeeds, .carriageReturns: true
        default: false
        }
      }
    }
  }

  extension String {
    fileprivate var oneLine: String { split(separator: "\n").joined(separator: " ") }
  }
#endif
