#if PortedSources
  import SwiftSyntax

  /// A type or an extension, around what it declares.
  struct TypeScope {
    let kind: SourceFacts.Kind
    /// With the names of the types around it, joined by dots.
    let name: String
    let inherited: [String]
    let attributes: AttributeListSyntax
    /// As it is written: the name of a type, without those around it, or of an extended one.
    let written: String
    let isGeneric: Bool
    /// Whether it stands in the body of a function.
    let isLocal: Bool
    /// Whether its own file alone sees it.
    let isPrivate: Bool

    init(_ node: ClassDeclSyntax, in outer: TypeScope?) {
      self.init(
        .aClass, node.name.plainText, node.name.text, node,
        isGeneric: node.genericParameterClause != nil,
        outer)
    }
    init(_ node: StructDeclSyntax, in outer: TypeScope?) {
      self.init(
        .other, node.name.plainText, node.name.text, node,
        isGeneric: node.genericParameterClause != nil,
        outer)
    }
    init(_ node: EnumDeclSyntax, in outer: TypeScope?) {
      self.init(
        .other, node.name.plainText, node.name.text, node,
        isGeneric: node.genericParameterClause != nil,
        outer)
    }
    init(_ node: ActorDeclSyntax, in outer: TypeScope?) {
      self.init(
        .other, node.name.plainText, node.name.text, node,
        isGeneric: node.genericParameterClause != nil,
        outer)
    }
    init(_ node: ProtocolDeclSyntax, in outer: TypeScope?) {
      self.init(.aProtocol, node.name.plainText, node.name.text, node, isGeneric: false, outer)
    }
    init(_ node: ExtensionDeclSyntax, in outer: TypeScope?) {
      let type = node.extendedType.trimmedDescription
      self.init(
        .anExtension, type.filter { $0 != "`" }, type, node,
        isGeneric: node.genericWhereClause != nil, outer)
    }

    private init(
      _ kind: SourceFacts.Kind, _ name: String, _ written: String, _ node: some DeclGroupSyntax,
      isGeneric: Bool, _ outer: TypeScope?
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

    /// The type from within: a name alone might be that of a type in its superclass.
    var reference: String { isGeneric || isLocal || written.contains("`") ? written : name }

    /// Whether it is no class that Foundation finds by `Module.Class`.
    var isRenamed: Bool {
      name.contains(".") || isPrivate || isGeneric || isLocal || attributes.objectiveCName != nil
    }

    /// Whether everything in it is for Objective-C to see.
    var exposesMembers: Bool {
      attributes.has("objcMembers") || (kind == .anExtension && attributes.has("objc"))
        || (kind == .aProtocol && attributes.has("objc"))
    }

    /// Whether Objective-C sees a member by what stands before it or before its type.
    func exposes(_ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax) -> Bool {
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
    /// Whether the node stands in a body: of a function, an accessor or a closure.
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

    /// Whether the node is a member of the type around it.
    var isMember: Bool {
      var node = parent
      // A member may stand in an `#if`.
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
    /// The names of the attributes, also of those in an `#if`.
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

    /// What `@objc(…)` says.
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
    /// Whether a modifier is there, for all that it concerns (`private(set)` is not `private`).
    func has(_ name: String) -> Bool { contains { $0.name.text == name && $0.detail == nil } }
  }

  extension TokenSyntax {
    /// Without the marks around a name that would be a keyword.
    var plainText: String { text.filter { $0 != "`" } }
  }

  extension FunctionDeclSyntax {
    var labels: [String] { signature.parameterClause.parameters.map { $0.firstName.plainText } }

    var isThrowing: Bool { signature.effectSpecifiers?.throwsClause != nil }
  }

  extension TypeSyntax {
    /// Without the marks of an optional, an existential and parentheses.
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
