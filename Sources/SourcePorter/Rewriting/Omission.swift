#if PortedSources
  import SwiftParser
  import SwiftSyntax

  /// Removes declarations from a source before it is rewritten; the rest keeps its lines.
  ///
  /// A declaration is named by its path: `Book.cover` in a type or its extensions,
  /// `Book.Kind.cover` in the nested type `Book.Kind` or its extensions, `Badge` at the top of the
  /// file. `extension UIColor` means these extensions with all their members, and `import CloudKit`
  /// an import.
  struct Omission {
    private let wanted: Set<String>
    private var edits: TextEdits
    private var found: Set<String> = []

    /// - Returns: the remaining text, and the names without a declaration.
    static func rest(of text: String, without names: [String]) -> (text: String, unknown: [String])
    {
      var omission = Omission(wanted: Set(names), edits: TextEdits(Array(text.utf8)))
      for item in Parser.parse(source: text).statements { omission.look(at: item.item) }
      let rest = omission.edits.text(of: 0..<omission.edits.original.count)
      return (rest, names.filter { !omission.found.contains($0) })
    }

    private mutating func look(at item: CodeBlockItemSyntax.Item) {
      guard case .decl(let declaration) = item else { return }
      look(at: declaration, in: nil)
    }

    private mutating func look(at declaration: DeclSyntax, in owner: String?) {
      if let directive = declaration.as(IfConfigDeclSyntax.self) {
        return look(into: directive, in: owner)
      }
      let names = Self.names(of: declaration).map { name in owner.map { "\($0).\(name)" } ?? name }
      guard let first = names.first else { return }
      if wanted.contains(first) {
        found.insert(first)
        return edits.remove(declaration.bytes)
      }
      guard let group = declaration.asProtocol((any DeclGroupSyntax).self) else {
        return
      }
      let type = first.hasPrefix("extension ") ? String(first.dropFirst(10)) : first
      for member in group.memberBlock.members { look(at: member.decl, in: type) }
    }

    private mutating func look(into directive: IfConfigDeclSyntax, in owner: String?) {
      for clause in directive.clauses {
        switch clause.elements {
        case .statements(let items): for item in items { look(at: item.item) }
        case .decls(let members): for member in members { look(at: member.decl, in: owner) }
        default: break
        }
      }
    }

    private static func names(of declaration: DeclSyntax) -> [String] {
      if let variable = declaration.as(VariableDeclSyntax.self) { return variable.names }
      if let node = declaration.as(ImportDeclSyntax.self) {
        return node.path.first.map { ["import \($0.name.plainText)"] } ?? []
      }
      if let node = declaration.as(ExtensionDeclSyntax.self) {
        let type = node.extendedType.trimmedDescription.filter { $0 != "`" }
        return ["extension \(type.prefix { $0 != "<" && !$0.isWhitespace })"]
      }
      return declaration.asProtocol((any NamedDeclSyntax).self).map { [$0.name.plainText] } ?? []
    }
  }
#endif
