#if PortedSources
  import SwiftSyntax

  // Foundation's archiver derives names only for top-level classes of a module. It has none for
  // nested and private classes, and ignores names given by `@objc(…)`.

  extension SourceRewriter {
    /// Gives a class that needs one a name in archives: its name on Apple's systems.
    func archive(_ node: ClassDeclSyntax) {
      guard let scope = scopes.last?.scope, project.needsArchiveName(named: scope.name) else {
        return
      }
      if scopes.contains(where: { isLate($0.scope) }) {
        remark(
          .warning, at: node,
          reason:
            "archives of a class that is generic, in a generic type or in a function are read only after one has been written",
          remedy: "archive an object of another class in its place")
      } else {
        scopes[scopes.count - 1].archivedFrom =
          source.path.split(separator: "/").last.map(String.init) ?? source.path
      }
      let isAnswered = node.memberBlock.members.contains {
        $0.decl.as(VariableDeclSyntax.self)?.names == ["classForKeyedArchiver"]
      }
      if !isAnswered { answerArchiver(node) }
    }

    private func answerArchiver(_ node: ClassDeclSyntax) {
      let access = node.modifiers.map(\.name.text).first {
        ["public", "open", "package"].contains($0)
      }
      scopes[scopes.count - 1].additions.append(
        "nonisolated \(access.map { $0 + " " } ?? "")override var classForKeyedArchiver: AnyClass? { ObjectiveCSupport.archivedClass(classForCoder) }"
      )
    }
  }
#endif
