#if PortedSources
  import SwiftSyntax

  // What classes below Core Data's may do on Apple's systems only.

  extension SourceRewriter {
    // MARK: - Private classes

    /// The new names of the file's private types, if a managed object class is among them.
    ///
    /// Generated code needs to see such a class and the types of its properties. They become
    /// internal, and have names that no other file uses.
    static func exposedNames(in source: ParsedSource, _ project: ProjectFacts) -> [String: String] {
      let types = source.tree.statements.compactMap { hiddenType($0.item) }
      let isNeeded = types.contains { type in
        type.superclass.map { project.isManaged($0.plainName) } ?? false
      }
      guard isNeeded else { return [:] }
      return Dictionary(
        types.map { ($0.name.plainText, "\($0.name.plainText)_\(source.identifier)") },
        uniquingKeysWith: { first, _ in first })
    }

    private typealias HiddenType = (name: TokenSyntax, superclass: TypeSyntax?)

    /// The name and the first inherited type of a private type.
    private static func hiddenType(_ item: CodeBlockItemSyntax.Item) -> HiddenType? {
      let declaration = item.as(DeclSyntax.self)
      guard let modifiers = declaration?.asProtocol((any WithModifiersSyntax).self)?.modifiers,
        accessModifier(in: modifiers) != nil,
        let name = declaration?.asProtocol((any NamedDeclSyntax).self)?.name,
        !(declaration?.is(FunctionDeclSyntax.self) ?? true)
      else { return nil }
      let node = declaration?.as(ClassDeclSyntax.self)
      return (name, node?.inheritanceClause?.inheritedTypes.first?.type)
    }

    private static func accessModifier(in modifiers: DeclModifierListSyntax) -> DeclModifierSyntax?
    {
      modifiers.first { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
    }

    func exposeType(_ node: some NamedDeclSyntax & WithModifiersSyntax) {
      guard scopes.isEmpty, let name = exposedNames[node.name.plainText],
        let modifier = Self.accessModifier(in: node.modifiers)
      else { return }
      edits.remove(modifier.bytes)
      edits.replace(node.name.bytes, with: name)
      // Added declarations have the name as it is written.
      tail.append("fileprivate typealias \(node.name.text) = \(name)")
    }

    /// - Returns: true if the name was replaced.
    func rewriteExposedName(_ token: TokenSyntax) -> Bool {
      guard let name = exposedNames[token.plainText] else { return false }
      edits.replace(token.bytes, with: name)
      return true
    }

    // MARK: - Objects of no context

    /// Rewrites `Item()` and `Book.Item()` of a managed object class, which has no such
    /// initializer here.
    /// - Parameter called: the expression before the parentheses.
    /// - Returns: true if the call was rewritten.
    func rewriteUninitialized(_ called: ExprSyntax) -> Bool {
      guard let call = called.parent?.as(FunctionCallExprSyntax.self),
        call.calledExpression.id == called.id, call.isWithoutArguments,
        let path = called.typePath, isManaged(path, at: called)
      else { return false }
      let name = exposedNames[path] ?? called.trimmedDescription
      edits.replace(call.bytes, with: "ObjectiveCSupport.uninitialized(\(name).self)")
      return true
    }

    /// Returns true if a name means a managed object class without an initializer of its own, or a
    /// generic parameter that is bound to one.
    private func isManaged(_ path: String, at node: ExprSyntax) -> Bool {
      let name = node.bound(ofGenericParameter: path) ?? path
      if name == "NSManagedObject" { return name != path }
      return meanings(of: name).first(where: project.isDeclared)
        .map(project.isManagedWithoutInitializer(named:)) ?? false
    }

    /// The full names that the name of a type may have here, in the innermost scope first.
    private func meanings(of name: String) -> [String] {
      var meanings: [String] = []
      var scope = scopes.last?.scope.name[...] ?? ""
      while !scope.isEmpty {
        meanings.append("\(scope).\(name)")
        scope = scope.lastIndex(of: ".").map { scope[..<$0] } ?? ""
      }
      return meanings + [name]
    }

    // MARK: - Subscripts

    /// Adds `override` to a subscript by a text in a managed object class, which has one here.
    func override(_ node: SubscriptDeclSyntax) {
      let parameters = node.parameterClause.parameters
      guard let scope = scopes.last?.scope, scope.kind == .aClass, !node.modifiers.has("override"),
        !node.modifiers.has("static"), !node.modifiers.has("class"),
        parameters.count == 1, let parameter = parameters.first,
        parameter.secondName == nil || parameter.firstName.text == "_",
        parameter.type.trimmedDescription == "String",
        node.returnClause.type.trimmedDescription == "Any?", node.isMutable,
        project.isManaged(scope.name)
      else { return }
      edits.insert("override ", at: node.subscriptKeyword.bytes.lowerBound)
    }

    // MARK: - Stores

    private static let stores: Set<String> = [
      "NSAtomicStore", "NSIncrementalStore", "NSPersistentStore",
    ]
    private static let labels = [
      "persistentStoreCoordinator", "configurationName", "at", "options",
    ]

    /// Adds the initializer by which a coordinator makes a store, where a class has others: on
    /// Apple's systems it lacks that then.
    func completeStore(_ node: ClassDeclSyntax) {
      guard let scope = scopes.last?.scope, let superclass = scope.inherited.first,
        Self.stores.contains(superclass)
      else { return }
      let initializers = node.memberBlock.members.compactMap {
        $0.decl.as(InitializerDeclSyntax.self)
      }
      let designated = initializers.filter { !$0.modifiers.has("convenience") }
      let isThere = initializers.contains { initializer in
        initializer.signature.parameterClause.parameters.map(\.firstName.text) == Self.labels
      }
      guard !designated.isEmpty, !isThere else { return }
      let access = node.modifiers.contains { ["public", "open"].contains($0.name.text) }
      scopes[scopes.count - 1].additions.append(
        "\(access ? "public " : "")required init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, "
          + "configurationName name: String?, at url: URL, options: [AnyHashable: Any]?) "
          + "{ fatalError(\(Literal.text("\(scope.name) has no initializer by which a coordinator makes a store"))) }"
      )
    }
  }

  extension SourceRewriter {
    // MARK: - Classes in functions

    /// Registers a class in a function when control reaches it, so that an entity can name it.
    func registerLocally(_ node: ClassDeclSyntax) {
      guard node.isInFunction, node.parent?.is(CodeBlockItemSyntax.self) ?? false,
        let superclass = node.inheritanceClause?.inheritedTypes.first?.type.plainName,
        superclass == "NSManagedObject" || project.isManaged(superclass)
          || localClasses.contains(superclass)
      else { return }
      let name = node.name.text
      localClasses.insert(node.name.plainText)
      edits.insert(
        "; ObjectiveCSupport.registerLocalClass(\(name).self) { \(name)(entity: $0, insertInto: $1) }",
        at: node.bytes.upperBound)
    }

    /// Writes the accessors of managed properties of a class in a function: those of other classes
    /// are generated, but nothing outside of the function sees this one.
    func writeAccessors(of node: VariableDeclSyntax) {
      guard
        let attribute = node.attributes.first(where: {
          $0.as(AttributeSyntax.self)?.name == "NSManaged"
        }),
        node.isMember, node.isInFunction
      else { return }
      edits.remove(attribute.bytes)
      for binding in node.bindings {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText,
          let type = binding.typeAnnotation?.type
        else { continue }
        let isPrimitive =
          name.hasPrefix("primitive")
          && name.dropFirst("primitive".count).first?.isUppercase == true
        let (read, write) =
          isPrimitive
          ? ("managedPrimitiveValue", "setManagedPrimitiveValue")
          : ("managedValue", "setManagedValue")
        let property = "Self.managedProperty(\(Literal.text(name)))"
        edits.insert(
          " { get { self.\(read)(\(property)) } set { self.\(write)(newValue, \(property)) } }",
          at: type.bytes.upperBound)
      }
    }
  }

  extension SourceRewriter {
    // MARK: - Sessions

    /// Has `init()` of a class below `URLSession` call the initializer that there is: without a
    /// configuration it is there on Apple's systems only.
    func configureSession(_ node: InitializerDeclSyntax) {
      guard let scope = scopes.last?.scope, scope.kind == .aClass,
        scope.inherited.first == "URLSession", let body = node.body,
        node.signature.parameterClause.parameters.isEmpty,
        !node.modifiers.has("convenience")
      else { return }
      for modifier in node.modifiers where modifier.name.text == "override" {
        edits.remove(modifier.bytes)
      }
      let calls = body.statements.compactMap { $0.item.as(FunctionCallExprSyntax.self) }
        .filter { call in
          let member = call.calledExpression.as(MemberAccessExprSyntax.self)
          return member?.base?.is(SuperExprSyntax.self) ?? false
            && member?.declName.baseName.text == "init"
        }
      if let call = calls.first {
        guard call.isWithoutArguments else { return }
        edits.insert("configuration: .default", at: call.leftParen!.bytes.upperBound)
      } else {
        edits.insert(
          body.statements.isEmpty
            ? "super.init(configuration: .default)" : "; super.init(configuration: .default)",
          at: body.statements.last?.bytes.upperBound ?? body.leftBrace.bytes.upperBound)
      }
    }
  }

  extension SubscriptDeclSyntax {
    /// Whether the subscript has a setter.
    fileprivate var isMutable: Bool {
      guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
      return accessors.contains { $0.accessorSpecifier.text == "set" }
    }
  }

  extension ExprSyntax {
    /// The class to which a generic parameter of an enclosing declaration is bound.
    fileprivate func bound(ofGenericParameter name: String) -> String? {
      var node = parent
      while let current = node {
        node = current.parent
        guard let generic = current.asProtocol((any WithGenericParametersSyntax).self),
          let parameter = generic.genericParameterClause?.parameters.first(where: {
            $0.name.text == name
          })
        else { continue }
        let bounds = generic.genericWhereClause?.requirements.compactMap { requirement in
          requirement.requirement.as(ConformanceRequirementSyntax.self)
        }
        return parameter.inheritedType?.trimmedDescription
          ?? bounds?.first { $0.leftType.trimmedDescription == name }?.rightType.trimmedDescription
      }
      return nil
    }

    /// The dotted name of a type, as `Book.Item`; nil for any other expression.
    fileprivate var typePath: String? {
      let name: DeclReferenceExprSyntax
      var base = ""
      if let member = self.as(MemberAccessExprSyntax.self) {
        guard let path = member.base?.typePath else { return nil }
        (name, base) = (member.declName, path + ".")
      } else if let reference = self.as(DeclReferenceExprSyntax.self) {
        name = reference
      } else {
        return nil
      }
      guard name.argumentNames == nil, name.baseName.text.first?.isUppercase ?? false else {
        return nil
      }
      return base + name.baseName.plainText
    }
  }
#endif
