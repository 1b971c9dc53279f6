#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax

  /// A stored property of a model that its store keeps.
  struct PersistedProperty {
    /// Without backticks.
    let name: String
    /// As the source has it.
    let reference: String
    /// The initial value, typed as the property is; nil without one.
    let defaultValue: String?
    /// `SwiftData.Schema.Attribute(…)` with the arguments of its attribute; nil without one.
    let metadata: String?
    let isTransformable: Bool

    /// nil for what is not persisted: computed, static and transient properties, and what macros add.
    init?(_ declaration: VariableDeclSyntax) {
      guard declaration.isInstance, declaration.attribute("Transient") == nil,
        declaration.bindings.count == 1, let binding = declaration.bindings.first,
        let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
        !binding.isComputed, !identifier.text.hasPrefix("_$"),
        binding.typeAnnotation?.type.trimmedDescription != "_SwiftDataNoType",
        !declaration.isLazy, declaration.lifetime == nil
      else { return nil }
      reference = identifier.text
      name = reference.filter { $0 != "`" }
      defaultValue = binding.typedInitialValue
      let attribute = declaration.attribute("Attribute")
      let kinds = [
        ("Attribute", attribute), ("Relationship", declaration.attribute("Relationship")),
      ]
      metadata =
        kinds.lazy.compactMap { kind, attribute in
          attribute.map { "SwiftData.Schema.\(kind)(\($0.argumentText))" }
        }.first
      isTransformable =
        attribute?.argumentList.contains { argument in
          argument.label == nil && argument.expression.calledName == "transformable"
        } ?? false
    }

    /// How it stands in `schemaMetadata`.
    func schemaMetadata(of model: String) -> String {
      "SwiftData.Schema.PropertyMetadata(name: \"\(name)\", keypath: \\\(model).\(reference), "
        + "defaultValue: \(defaultValue ?? "nil"), metadata: \(metadata ?? "nil"))"
    }
  }

  extension VariableDeclSyntax {
    var isInstance: Bool { !has(.static) && !has(.class) }
    var isLazy: Bool { has(.lazy) }

    /// `weak` or `unowned`.
    var lifetime: DeclModifierSyntax? {
      modifiers.first { [.keyword(.weak), .keyword(.unowned)].contains($0.name.tokenKind) }
    }

    private func has(_ keyword: Keyword) -> Bool {
      modifiers.contains { $0.name.tokenKind == .keyword(keyword) }
    }

    func attribute(_ name: String) -> AttributeSyntax? {
      attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.name == name }
    }
  }

  extension AttributeSyntax {
    /// Without its module.
    var name: String {
      let type = attributeName
      return type.as(MemberTypeSyntax.self)?.name.text
        ?? type.as(IdentifierTypeSyntax.self)?.name.text ?? type.trimmedDescription
    }

    var argumentList: LabeledExprListSyntax {
      arguments?.as(LabeledExprListSyntax.self) ?? LabeledExprListSyntax([])
    }

    var argumentText: String { argumentList.trimmedDescription }
  }

  extension PatternBindingSyntax {
    /// The accessors by their words; `get` for a block that is a getter.
    private var accessors: [AccessorDeclSyntax]? {
      switch accessorBlock?.accessors {
      case .accessors(let list): Array(list)
      case .getter: []
      case nil: nil
      }
    }

    var isComputed: Bool { accessors.map { $0.isEmpty || observers.count < $0.count } ?? false }

    /// `willSet` and `didSet`
    var observers: [AccessorDeclSyntax] {
      (accessors ?? []).filter {
        [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    }

    var isOptional: Bool {
      guard let type = typeAnnotation?.type else { return false }
      return type.is(OptionalTypeSyntax.self)
        || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        || type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }

    /// The initial value with the declared type, since `.red` alone says nothing where any value may stand.
    fileprivate var typedInitialValue: String? {
      guard let value = initializer?.value.trimmed else { return nil }
      if value.is(NilLiteralExprSyntax.self) { return nil }
      guard let type = typeAnnotation?.type.trimmed else { return value.description }
      let name =
        type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { "\($0.wrappedType)?" }
        ?? type.description
      let isSimple =
        value.is(MemberAccessExprSyntax.self) || value.is(FunctionCallExprSyntax.self)
        || value.is(ArrayExprSyntax.self) || value.is(DictionaryExprSyntax.self)
        || value.is(DeclReferenceExprSyntax.self) || value.isLiteral
      return isSimple ? "\(value) as \(name)" : "(\(value)) as \(name)"
    }
  }

  extension ExprSyntax {
    fileprivate var isLiteral: Bool {
      self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
        || self.is(StringLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
    }

    /// `transformable` of `.transformable(by: …)`
    var calledName: String? {
      self.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self)?
        .declName.baseName.text
    }
  }
#endif
