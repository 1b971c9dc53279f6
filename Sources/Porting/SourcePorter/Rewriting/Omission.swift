#if PortedSources
  import SwiftParser
  import SwiftSyntax

  /// Removes declarations from a source before it is rewritten; the rest keeps its lines.
  ///
  /// A declaration is named by its path: `Book.cover` in a type or its extensions,
  /// `Book.Kind.cover` in the nested type `Book.Kind` or its extensions, `Book.init(title:)` for an
  /// initialiser, `Badge` at the top of the file. `extension UIColor` means these extensions with
  /// all their members, and `import CloudKit` an import.
  /// `in Book.save: WidgetCenter` takes what uses the name out of a body, and
  /// `in Book.save` all that the body does; initialisers are called `Book.init`. Conditions that
  /// hold in the file, as `if os(iOS)`, are read elsewhere.
  struct Omission {
    private let wanted: Set<String>
    /// Names to take out of bodies, by the paths of their declarations; with the entries as they
    /// are written. Functions of one name have an entry each.
    private var bodies: [String: [(words: [Substring], entry: String)]] = [:]
    private var edits: TextEdits
    private var found: Set<String> = []

    /// - Returns: the remaining text, and the names without a declaration.
    static func rest(of text: String, without names: [String]) -> (text: String, unknown: [String])
    {
      var omission = Omission(names: names, edits: TextEdits(Array(text.utf8)))
      for item in Parser.parse(source: text).statements { omission.look(at: item.item) }
      let rest = omission.edits.text(of: 0..<omission.edits.original.count)
      return (rest, names.filter { !omission.found.contains($0) })
    }

    private init(names: [String], edits: TextEdits) {
      wanted = Set(names.filter { !$0.hasPrefix("in ") })
      self.edits = edits
      for entry in names where entry.hasPrefix("in ") {
        let parts = entry.dropFirst(3).split(separator: ":", maxSplits: 1)
        let words = parts.count == 2 ? parts[1].split(separator: " ") : []
        bodies[String(parts[0]), default: []].append((words, entry))
      }
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
      if let name = Self.nameOfBody(declaration) ?? Self.names(of: declaration).first {
        takeOut(of: declaration, owner.map { "\($0).\(name)" } ?? name)
      }
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

    private mutating func takeOut(of declaration: DeclSyntax, _ path: String) {
      guard let entries = bodies[path] else { return }
      let isWhole = entries.contains(where: \.words.isEmpty)
      var omission = BodyOmission(path: path, words: isWhole ? [] : entries.flatMap(\.words))
      guard omission.read(declaration) else { return }
      found.formUnion(entries.map(\.entry))
      for range in omission.removed { edits.remove(range) }
      for (range, text) in omission.replaced { edits.replace(range, with: text) }
    }

    private static func nameOfBody(_ declaration: DeclSyntax) -> String? {
      if declaration.is(InitializerDeclSyntax.self) { return "init" }
      if declaration.is(DeinitializerDeclSyntax.self) { return "deinit" }
      return declaration.is(SubscriptDeclSyntax.self) ? "subscript" : nil
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
      if let node = declaration.as(InitializerDeclSyntax.self) {
        let labels = node.signature.parameterClause.parameters.map { "\($0.firstName.plainText):" }
        return ["init(\(labels.joined()))"]
      }
      return declaration.asProtocol((any NamedDeclSyntax).self).map { [$0.name.plainText] } ?? []
    }
  }
#endif
