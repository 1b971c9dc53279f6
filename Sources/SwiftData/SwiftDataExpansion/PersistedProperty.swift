#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax

  /// A persisted property of a model class.
  struct PersistedProperty {
    /// The name without backticks.
    let name: String
    /// The name as in the source, with any backticks.
    let reference: String
    /// The initial value, cast to the declared type; nil without one.
    let defaultValue: String?
    /// `SwiftData.Schema.Attribute(…)` or `Relationship(…)` with the arguments of the source's
    /// attribute; nil without one.
    let metadata: String?
    let isTransformable: Bool

    /// nil for properties that are not persisted: computed, static and transient ones, and those
    /// that macros add.
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

    /// The entry of the property in `schemaMetadata`.
    func schemaMetadata(of model: String) -> String {
      "SwiftData.Schema.PropertyMetadata(name: \"\(name)\", keypath: \\\(model).\(reference), "
        + "defaultValue: \(defaultValue ?? "nil"), metadata: \(metadata ?? "nil"))"
    }
  }

  extension VariableDeclSyntax {
    var isInstance: Bool { !has(.static) && !has(.class) }
    var isLazy: Bool { has(.lazy) }

    /// The modifier `weak` or `unowned`, if any.
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
    /// The attribute's name without its module.
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
    /// The accessor declarations; empty for a body that is just a getter, nil without a body.
    private var accessors: [AccessorDeclSyntax]? {
      switch accessorBlock?.accessors {
      case .accessors(let list): Array(list)
      case .getter: []
      case nil: nil
      }
    }

    var isComputed: Bool { accessors.map { $0.isEmpty || observers.count < $0.count } ?? false }

    /// `willSet` and `didSet`.
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

    /// The initial value with the declared type, because `.red` alone has no type where any value
    /// may stand.
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

    /// `transformable` for `.transformable(by: …)`.
    var calledName: String? {
      self.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self)?
        .declName.baseName.text
    }
  }
#endif
