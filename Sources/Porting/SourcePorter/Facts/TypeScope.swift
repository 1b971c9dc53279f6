#if PortedSources
  import SwiftSyntax

  /// A type or extension as the scope of its members.
  struct TypeScope {
    let kind: SourceFacts.Kind
    /// The name, preceded by the names of enclosing types, joined by dots.
    let name: String
    let inherited: [String]
    let attributes: AttributeListSyntax
    /// The name as written: a type's own, or that of the extended type.
    let written: String
    let isGeneric: Bool
    /// Whether the type is declared inside a function body.
    let isLocal: Bool
    /// Whether only its own file sees it.
    let isPrivate: Bool

    init(_ node: ClassDeclSyntax, in outer: TypeScope?) {
      self.init(
        .aClass, name: node.name.plainText, written: node.name.text, node: node,
        isGeneric: node.genericParameterClause != nil,
        outer: outer)
    }
    init(_ node: StructDeclSyntax, in outer: TypeScope?) {
      self.init(
        .other, name: node.name.plainText, written: node.name.text, node: node,
        isGeneric: node.genericParameterClause != nil,
        outer: outer)
    }
    init(_ node: EnumDeclSyntax, in outer: TypeScope?) {
      self.init(
        .other, name: node.name.plainText, written: node.name.text, node: node,
        isGeneric: node.genericParameterClause != nil,
        outer: outer)
    }
    init(_ node: ActorDeclSyntax, in outer: TypeScope?) {
      self.init(
        .other, name: node.name.plainText, written: node.name.text, node: node,
        isGeneric: node.genericParameterClause != nil,
        outer: outer)
    }
    init(_ node: ProtocolDeclSyntax, in outer: TypeScope?) {
      self.init(
        .aProtocol, name: node.name.plainText, written: node.name.text, node: node,
        isGeneric: false, outer: outer)
    }
    init(_ node: ExtensionDeclSyntax, in outer: TypeScope?) {
      let type = node.extendedType.trimmedDescription
      self.init(
        .anExtension, name: type.filter { $0 != "`" }, written: type, node: node,
        isGeneric: node.genericWhereClause != nil, outer: outer)
    }

    private init(
      _ kind: SourceFacts.Kind, name: String, written: String, node: some DeclGroupSyntax,
      isGeneric: Bool, outer: TypeScope?
    ) {
      self.kind = kind
      self.written = written
      self.name = kind == .anExtension ? name : (outer.map { $0.name + "." } ?? "") + name
      inherited = (node.inheritanceClause?.inheritedTypes ?? []).map {
        $0.type.trimmedDescription.split(separator: " ").last.map(String.init) ?? ""
      }
      attributes = node.attributes
      self.isGeneric = isGeneric || outer?.isGeneric ?? false
      isLocal = outer?.isLocal ?? false || node.isInFunction
      isPrivate = node.modifiers.has("private") || node.modifiers.has("fileprivate")
    }

    /// The type's name for use inside it. It is qualified, since a simple name could mean a type in
    /// the superclass.
    var reference: String { isGeneric || isLocal || written.contains("`") ? written : name }

    /// Whether Foundation cannot find the class by `Module.Class`.
    var isRenamed: Bool {
      name.contains(".") || isPrivate || isGeneric || isLocal || attributes.objectiveCName != nil
    }

    /// Whether all members are visible to Objective-C.
    var exposesMembers: Bool {
      attributes.has("objcMembers") || (kind == .anExtension && attributes.has("objc"))
        || (kind == .aProtocol && attributes.has("objc"))
    }

    /// Returns true if Objective-C sees a member because of its own attributes or its type's.
    func exposes(_ attributes: AttributeListSyntax, modifiers: DeclModifierListSyntax) -> Bool {
      if attributes.has("nonobjc") { return false }
      if !attributes.names.isDisjoint(with: Self.exposingAttributes) { return true }
      return exposesMembers && !modifiers.has("private") && !modifiers.has("fileprivate")
    }

    private static let exposingAttributes: Set<String> = [
      "objc", "IBAction", "IBOutlet", "IBInspectable", "GKInspectable", "NSManaged",
      "IBSegueAction",
    ]
  }

  extension SyntaxProtocol {
    /// Whether the node is inside a body of a function, an accessor or a closure.
    var isInFunction: Bool {
      var node = parent
      while let current = node {
        if current.is(CodeBlockSyntax.self) || current.is(ClosureExprSyntax.self)
          || current.is(AccessorDeclSyntax.self)
        {
          return true
        }
        if let block = current.as(AccessorBlockSyntax.self), case .getter = block.accessors {
          return true
        }
        node = current.parent
      }
      return false
    }

    /// Whether the declaration is at the top of a file, or in an `#if` there.
    var isAtTop: Bool {
      var node = parent
      while let current = node,
        current.is(IfConfigDeclSyntax.self) || current.is(IfConfigClauseSyntax.self)
          || current.is(IfConfigClauseListSyntax.self) || current.is(CodeBlockItemListSyntax.self)
          || current.is(CodeBlockItemSyntax.self)
      {
        node = current.parent
      }
      return node?.is(SourceFileSyntax.self) ?? true
    }

    /// Whether the node is a direct member of the enclosing type.
    var isMember: Bool {
      var node = parent
      // A member may be inside an `#if`.
      while let current = node,
        current.is(IfConfigDeclSyntax.self) || current.is(IfConfigClauseSyntax.self)
          || current.is(IfConfigClauseListSyntax.self) || current.is(MemberBlockItemListSyntax.self)
          || current.is(MemberBlockItemSyntax.self)
      {
        node = current.parent
      }
      return node?.is(MemberBlockSyntax.self) ?? false
    }
  }

  extension AttributeListSyntax {
    /// The names of the attributes, including those in an `#if`.
    var names: Set<String> { Set(all.map(\.name)) }

    var all: [AttributeSyntax] {
      flatMap { element -> [AttributeSyntax] in
        switch element {
        case .attribute(let attribute): return [attribute]
        case .ifConfigDecl(let directive):
          return directive.clauses.flatMap { clause -> [AttributeSyntax] in
            if case .attributes(let list) = clause.elements { return list.all }
            return []
          }
        }
      }
    }

    func has(_ name: String) -> Bool { all.contains { $0.name == name } }

    func first(_ name: String) -> AttributeSyntax? { all.first { $0.name == name } }

    /// The name given in `@objc(…)`.
    var objectiveCName: String? {
      guard let arguments = first("objc")?.arguments else { return nil }
      let name = arguments.trimmedDescription.filter { !$0.isWhitespace }
      return name.isEmpty ? nil : name
    }
  }

  extension AttributeSyntax {
    var name: String { attributeName.trimmedDescription }
  }

  extension DeclModifierListSyntax {
    /// Returns true if the modifier is present without a detail: `private(set)` is not `private`.
    func has(_ name: String) -> Bool { contains { $0.name.text == name && $0.detail == nil } }
  }

  extension TokenSyntax {
    /// The text without backticks.
    var plainText: String { text.filter { $0 != "`" } }
  }

  extension FunctionDeclSyntax {
    var labels: [String] { signature.parameterClause.parameters.map { $0.firstName.plainText } }

    var isThrowing: Bool { signature.effectSpecifiers?.throwsClause != nil }
  }

  extension TypeSyntax {
    /// The type without optional marks, `any` and parentheses.
    var plainName: String {
      var text = trimmedDescription[...]
      while true {
        if text.hasPrefix("any ") { text = text.dropFirst(4) }
        if text.hasSuffix("?") || text.hasSuffix("!") {
          text = text.dropLast()
        } else if text.hasPrefix("("), text.hasSuffix(")") {
          text = text.dropFirst().dropLast()
        } else {
          return String(text)
        }
      }
    }
  }

  extension VariableDeclSyntax {
    var names: [String] {
      bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText }
    }
  }
#endif
