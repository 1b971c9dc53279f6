#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax

  /// Diagnostics for a model class, each at its node.
  struct ModelCheck {
    private(set) var complaints: [Diagnostic] = []
    private let model: String

    init(_ declaration: ClassDeclSyntax) {
      model = declaration.name.text
      if let generics = declaration.genericParameterClause {
        complaints.append(Complaint.generic(model).at(generics))
      }
      if let base = declaration.inheritanceClause?.inheritedTypes.first?.type,
        Self.objectClasses.contains(base.lastName)
      {
        complaints.append(Complaint.inherits(model, from: base.trimmedDescription).at(base))
      }
      var macros: [String: Int] = [:]
      let members = declaration.memberBlock.members
      check(members, macros: &macros)
      // `@Model` adds an initialiser, so the compiler would synthesize none.
      if complaints.isEmpty, Self.persists(members), !Self.makesItself(members) {
        complaints.append(Complaint.noInitializer(model).at(declaration.name))
      }
    }

    /// Classes of Foundation and Core Data that sources commonly inherit from. For any other name,
    /// a macro cannot know whether it is a class.
    private static let objectClasses: Set = [
      "NSObject", "NSManagedObject", "NSDocument", "UIDocument", "UIManagedDocument",
    ]

    private static func persists(_ members: MemberBlockItemListSyntax) -> Bool {
      anyMember(members) { $0.as(VariableDeclSyntax.self).flatMap(PersistedProperty.init) != nil }
    }

    private static func makesItself(_ members: MemberBlockItemListSyntax) -> Bool {
      anyMember(members) { $0.is(InitializerDeclSyntax.self) }
    }

    private static func anyMember(
      _ members: MemberBlockItemListSyntax, test: (DeclSyntax) -> Bool
    ) -> Bool {
      members.contains { member in
        guard let condition = member.decl.as(IfConfigDeclSyntax.self) else {
          return test(member.decl)
        }
        return condition.clauses.contains { clause in
          clause.elements?.as(MemberBlockItemListSyntax.self).map { anyMember($0, test: test) }
            ?? false
        }
      }
    }

    private mutating func check(_ members: MemberBlockItemListSyntax, macros: inout [String: Int]) {
      for member in members {
        if let variable = member.decl.as(VariableDeclSyntax.self), variable.isInstance {
          check(variable)
        } else if let macro = member.decl.as(MacroExpansionDeclSyntax.self) {
          let name = macro.macroName.text
          guard name == "Unique" || name == "Index" else { continue }
          macros[name, default: 0] += 1
          if macros[name] == 2 { complaints.append(Complaint.several(name, name: model).at(macro)) }
        } else if let condition = member.decl.as(IfConfigDeclSyntax.self) {
          for clause in condition.clauses {
            var inside = macros
            clause.elements?.as(MemberBlockItemListSyntax.self).map { check($0, macros: &inside) }
          }
        }
      }
    }

    private mutating func check(_ variable: VariableDeclSyntax) {
      guard let binding = variable.bindings.first else { return }
      let name =
        binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text.filter { $0 != "`" }
        ?? binding.pattern.trimmedDescription
      if name.hasPrefix("_$") { return }
      if variable.attribute("Transient") != nil {
        return checkTransient(variable)
      }
      if binding.isComputed {
        for attribute in ["Attribute", "Relationship"].lazy.compactMap(variable.attribute) {
          complain(.computed(name, attribute: attribute.name), at: attribute)
        }
        return
      }
      checkDeclaration(variable, binding: binding, name: name)
      checkAttributes(variable, name: name)
      for observer in binding.observers {
        complain(.observed(name, observer: observer.accessorSpecifier.text), at: observer)
      }
      if let why = Self.reserved[name] { complain(.reserved(name, why: why), at: binding.pattern) }
    }

    private mutating func complain(_ complaint: Complaint, at node: some SyntaxProtocol) {
      complaints.append(complaint.at(node))
    }

    // MARK: - How it is declared

    private mutating func checkDeclaration(
      _ variable: VariableDeclSyntax, binding: PatternBindingSyntax, name: String
    ) {
      if binding.pattern.is(TuplePatternSyntax.self) {
        return complain(.tuple, at: binding.pattern)
      }
      if variable.bindings.count > 1 {
        let names = variable.bindings.map(\.pattern.trimmedDescription)
        return complain(.severalNames(names), at: variable.bindings)
      }
      if let lazy = variable.modifiers.first(where: { $0.name.tokenKind == .keyword(.lazy) }) {
        return complain(.lazy(name), at: lazy)
      }
      if let word = variable.lifetime {
        return complain(.weak(name, word: word.name.text), at: word)
      }
      let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
      if isConstant, binding.initializer == nil {
        return complain(.constant(name), at: variable.bindingSpecifier)
      }
      if binding.typeAnnotation == nil, binding.initializer == nil {
        complain(.missingType(name), at: binding.pattern)
      }
    }

    private mutating func checkTransient(_ variable: VariableDeclSyntax) {
      for binding in variable.bindings {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
          !name.hasPrefix("_"), !binding.isComputed, binding.initializer == nil,
          !binding.isOptional || variable.bindingSpecifier.tokenKind == .keyword(.let)
        else { continue }
        complain(.transientWithoutDefault(name), at: binding)
      }
    }

    // MARK: - Its attributes

    private mutating func checkAttributes(_ variable: VariableDeclSyntax, name: String) {
      let relationship = variable.attribute("Relationship")
      if variable.attribute("Attribute") != nil, let relationship {
        complain(.attributeAndRelationship(name), at: relationship)
      }
      for argument in relationship?.argumentList ?? LabeledExprListSyntax([])
      where argument.label?.text == "inverse" {
        let value = argument.expression
        if !value.is(KeyPathExprSyntax.self), !value.is(NilLiteralExprSyntax.self) {
          complain(.inverseNotKeyPath(name), at: value)
        }
      }
      for attribute in variable.attributes.lazy.compactMap({ $0.as(AttributeSyntax.self) })
      where Self.wrappers.contains(attribute.name) {
        complain(.wrapped(name, wrapper: attribute.name), at: attribute)
      }
    }

    // MARK: - Names

    /// Apple's property wrappers. A macro cannot recognize others; the compiler diagnoses those.
    private static let wrappers: Set = [
      "AccessibilityFocusState", "AppStorage", "Bindable", "Binding", "Environment",
      "EnvironmentObject", "FetchRequest", "FocusState", "GestureState", "NSManaged", "Namespace",
      "ObservedObject", "Published", "Query", "SceneStorage", "ScaledMetric",
      "SectionedFetchRequest",
      "State", "StateObject",
    ]

    /// Names that a property of a model cannot have, with the owner of each name.
    private static let reserved: [String: String] = {
      let object = "a member of every managed object"
      let model = "a member of every model"
      return [
        "description": object, "debugDescription": object, "hash": object, "hashValue": object,
        "superclass": object, "objectID": object, "managedObjectContext": object,
        "persistentModelID": model, "modelContext": model, "persistentBackingData": model,
        "schemaMetadata": model,
      ]
    }()
  }
#endif
