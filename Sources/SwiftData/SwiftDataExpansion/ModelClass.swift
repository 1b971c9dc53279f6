#if SwiftData
  import SwiftSyntax

  /// The declaration of a class with `@Model`.
  struct ModelClass {
    /// A part of the schema, with the conditional compilation around it.
    indirect enum Part {
      case property(PersistedProperty)
      /// `Unique` or `Index`, with the arguments of `#Unique` or `#Index`.
      case macro(String, arguments: String)
      /// `#if` and its branches, each with its source line such as `#if DEBUG`.
      case conditional([(line: String, parts: [Part])])
    }

    let name: String
    let parts: [Part]
    let isFinal: Bool
    /// `public ` or `package ` for members that the protocol requires; empty for lower access.
    let access: String
    /// `open ` if subclasses in other modules can override, else `public `.
    let overridableAccess: String
    /// The name of the superclass, if that is a model.
    let base: String?

    /// - Parameter isModelAlready: whether the class conforms to `PersistentModel` without the
    ///   macro.
    init(_ declaration: ClassDeclSyntax, isModelAlready: Bool) {
      name = declaration.name.text
      parts = Self.parts(declaration.memberBlock.members)
      let words = Set(declaration.modifiers.map(\.name.text))
      isFinal = words.contains("final")
      access =
        words.contains("open") || words.contains("public")
        ? "public " : words.contains("package") ? "package " : ""
      overridableAccess = words.contains("open") ? "open " : "public "
      let inherited = declaration.inheritanceClause?.inheritedTypes.map { $0.type.trimmed } ?? []
      let saysItself = inherited.contains {
        $0.description == "PersistentModel" || $0.description == "SwiftData.PersistentModel"
      }
      base = isModelAlready && !saysItself ? inherited.first?.description : nil
    }

    private static func parts(_ members: MemberBlockItemListSyntax) -> [Part] {
      members.compactMap { part($0.decl) }
    }

    private static func part(_ declaration: DeclSyntax) -> Part? {
      if let variable = declaration.as(VariableDeclSyntax.self) {
        return PersistedProperty(variable).map { .property($0) }
      }
      if let macro = declaration.as(MacroExpansionDeclSyntax.self) {
        let name = macro.macroName.text
        guard name == "Unique" || name == "Index" else { return nil }
        return .macro(name, arguments: macro.arguments.trimmedDescription)
      }
      guard let condition = declaration.as(IfConfigDeclSyntax.self) else { return nil }
      let branches = condition.clauses.map { clause in
        let line =
          clause.poundKeyword.text + (clause.condition.map { " \($0.trimmedDescription)" } ?? "")
        return (line, clause.elements?.as(MemberBlockItemListSyntax.self).map(parts) ?? [])
      }
      return branches.allSatisfy(\.1.isEmpty) ? nil : .conditional(branches)
    }

    // MARK: - Generated source

    /// The entries of `schemaMetadata`, interleaved with `#if` and `#endif` lines.
    var schemaMetadata: [String] {
      let entries = Self.lines(parts) { part in
        switch part {
        case .property(let property): property.schemaMetadata(of: name)
        case .macro(let macro, let arguments):
          "SwiftData.Schema.PropertyMetadata(name: \"\(macro.lowercased())\", keypath: \\\(name).self, "
            + "defaultValue: nil, metadata: SwiftData.Schema.\(macro)<\(name)>(\(arguments)))"
        case .conditional: nil
        }
      }
      return entries
    }

    /// `_title = _SwiftDataNoType()` for each property.
    var storageInitializers: [String] {
      Self.lines(parts) { part in
        guard case .property(let property) = part else { return nil }
        return "_\(property.name) = _SwiftDataNoType()"
      }
    }

    var hasConditions: Bool {
      parts.contains { part in
        if case .conditional = part { true } else { false }
      }
    }

    private static func lines(_ parts: [Part], line: (Part) -> String?) -> [String] {
      parts.flatMap { part -> [String] in
        guard case .conditional(let branches) = part else { return line(part).map { [$0] } ?? [] }
        return branches.flatMap { [$0.line] + lines($0.parts, line: line) } + ["#endif"]
      }
    }
  }
#endif
