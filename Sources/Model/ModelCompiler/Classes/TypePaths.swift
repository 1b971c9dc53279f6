/// The types and aliases that source files declare, by their full names.
struct TypePaths {
  private var types: Set<[String]> = []
  private var aliases: [[String]: [String]] = [:]
  private let moduleName: String
  /// The names of top-level types and aliases.
  private(set) var topLevel: Set<String> = []

  init(moduleName: String, files: [SourceFile]) {
    self.moduleName = moduleName
    var extensions: [Declaration] = []
    for file in files { add(file.declarations, in: [], extensions: &extensions) }
    topLevel = Set((types.union(aliases.keys)).filter { $0.count == 1 }.map { $0[0] })
    // An extension may nest types in a type that another extension has nested.
    for _ in 0..<2 {
      for declaration in extensions {
        var none: [Declaration] = []
        if let path = path(of: declaration.name) {
          add(declaration.members, in: path, extensions: &none)
        }
      }
    }
  }

  private mutating func add(
    _ declarations: [Declaration], in path: [String], extensions: inout [Declaration]
  ) {
    for declaration in declarations {
      switch declaration.kind {
      case .type:
        types.insert(path + [declaration.name])
        add(declaration.members, in: path + [declaration.name], extensions: &extensions)
      case .alias: aliases[path + [declaration.name]] = Self.components(declaration.aliased)
      case .typeExtension: extensions.append(declaration)
      default: break
      }
    }
  }

  private static func components(_ name: String) -> [String] {
    name.prefix { $0 != "<" && $0 != "?" && $0 != "&" }.split(separator: ".").map {
      $0.filter { !$0.isWhitespace && $0 != "`" }
    }
  }

  /// The path of the type that a name means at the top of a file, with aliases resolved; nil if
  /// these files do not declare it.
  func path(of name: String) -> [String]? { path(Self.components(name), depth: 0) }

  private func path(_ components: [String], depth: Int) -> [String]? {
    // A cycle of aliases is left for the compiler to refuse.
    guard depth < 16, let first = components.first else { return nil }
    var rest = components[...]
    if first == moduleName, !topLevel.contains(first) { rest = rest.dropFirst() }
    var path: [String] = []
    while let next = rest.popFirst() {
      path.append(next)
      if let aliased = aliases[path] {
        return self.path(aliased + rest, depth: depth + 1)
      }
      guard types.contains(path) else { return nil }
    }
    return path.isEmpty ? nil : path
  }
}

extension Declaration {
  /// The type that an alias stands for.
  var aliased: String {
    detail.firstIndex(of: "=").map { detail[detail.index(after: $0)...] }.map(String.init) ?? ""
  }
}
