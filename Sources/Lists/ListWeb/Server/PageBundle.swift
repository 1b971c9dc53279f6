#if Web
  import Foundation

  /// A script of the page with all that it imports, as one file: the page is ready a round trip
  /// after its document, however many modules it has.
  ///
  /// A module becomes a function that returns what it exports. Imports and exports begin a line, as
  /// the page's scripts have them: `import { a, b as c } from "./x.js";`, and `export` before a
  /// function, a class or a constant.
  struct PageBundle {
    /// Texts by the names of files.
    private let sources: [String: String]
    private var order: [String] = []
    private var visited: Set<String> = []

    /// A module that cannot be had: it is missing, or imports itself by way of others.
    struct Unavailable: Error, Equatable { let name: String }

    private init(sources: [String: String]) { self.sources = sources }

    /// The script, in which nothing is imported.
    static func script(of name: String, from sources: [String: String]) throws -> String {
      var bundle = PageBundle(sources: sources)
      try bundle.visit(name)
      let functions = try bundle.order.map { try bundle.function(of: $0) }
      let modules = bundle.order.map { "\"\($0)\": \(constant($0))" }
      // For the browser's console, and for tests.
      let console = "globalThis.pageModules = { \(modules.joined(separator: ", ")) };"
      return (functions + [console]).joined(separator: "\n")
    }

    /// Appends a module to the order, after what it imports.
    private mutating func visit(_ name: String) throws {
      guard !order.contains(name) else { return }
      guard let source = sources[name], visited.insert(name).inserted else {
        throw Unavailable(name: name)
      }
      for match in source.matches(of: Self.imports) { try visit(String(match.output.2)) }
      order.append(name)
    }

    private func function(of name: String) throws -> String {
      guard let source = sources[name] else { throw Unavailable(name: name) }
      let exported = source.matches(of: Self.exports).map { $0.output.2 }
      let body = source.replacing(Self.imports) { match in
        let names = match.output.1.replacing(/\s+as\s+/, with: ": ")
        return "const {\(names)} = \(Self.constant(String(match.output.2)));"
      }.replacing(Self.exports) { "\($0.output.1) \($0.output.2)" }
      return """
        const \(Self.constant(name)) = (() => {
        \(body)
        return { \(exported.joined(separator: ", ")) };
        })();
        """
    }

    /// The constant that has what a module exports.
    private static func constant(_ name: String) -> String {
      "module_" + name.replacing(/\W/, with: "_")
    }

    private static var imports: some RegexComponent<(Substring, Substring, Substring)> {
      /^import\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)";/.anchorsMatchLineEndings()
    }

    private static var exports: some RegexComponent<(Substring, Substring, Substring)> {
      /^export\s+((?:async\s+)?function|class|const)\s+(\w+)/.anchorsMatchLineEndings()
    }
  }
#endif
