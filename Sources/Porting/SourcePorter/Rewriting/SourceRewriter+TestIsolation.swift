#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    private static let beforeAndAfterTests: Set<String> = [
      "setUp", "setUpWithError", "tearDown", "tearDownWithError",
    ]

    /// Adds `@preconcurrency` to a main-actor attribute of tests. SwiftPM's list of tests, in a
    /// module in Swift 5 mode, expects functions of no actor. One of an actor does not match and
    /// ends the program before the first test. `@preconcurrency` makes it match; tests run on the
    /// main thread.
    func list(_ attributes: AttributeListSyntax) {
      guard isTest, !attributes.has("preconcurrency"),
        let isolation = attributes.lazy.compactMap({ $0.as(AttributeSyntax.self) })
          .first(where: { $0.name == "MainActor" })
      else { return }
      edits.insert("@preconcurrency ", at: isolation.bytes.lowerBound)
    }

    /// Whether the target's declarations belong to the main actor where they do not say otherwise.
    /// XCTest's classes cannot here: the compiler's setting gives them initialisers that override
    /// those of no actor. So copies of tests say it at each declaration instead.
    var isOfMainActorByDefault: Bool { conditions.contains("defaultIsolation(MainActor)") }

    /// Writes down the isolation that a declaration has by the target's setting. Errors and what
    /// else is sendable by its protocols belong to no actor.
    func isolateByDefault(
      _ node: some SyntaxProtocol, attributes: AttributeListSyntax,
      modifiers: DeclModifierListSyntax, inheriting clause: InheritanceClauseSyntax? = nil
    ) {
      let inherited = clause?.inheritedTypes.map(\.type.plainName) ?? []
      guard isOfMainActorByDefault, !attributes.has("MainActor"), !modifiers.has("nonisolated"),
        Set(inherited).isDisjoint(with: ["CodingKey", "Error", "LocalizedError", "Sendable"])
      else { return }
      let isListed = isTest && node.is(ClassDeclSyntax.self) && clause != nil
      edits.insert(
        isListed ? "@preconcurrency @MainActor " : "@MainActor ", at: node.bytes.lowerBound)
    }

    /// Tests of a class or an extension belong to its actor.
    func list(_ node: ClassDeclSyntax) {
      if node.inheritanceClause != nil { list(node.attributes) }
    }

    func list(_ node: FunctionDeclSyntax) {
      if node.isMember, node.name.text.hasPrefix("test") { list(node.attributes) }
    }

    /// Runs `setUp` and its kin on the main actor, where they or the test class say so. With
    /// Objective-C such an override belongs to its actor. Here it belongs to no actor, as XCTest's
    /// method does, though the main thread runs it.
    func isolate(_ node: FunctionDeclSyntax) {
      guard isTest, node.isMember, node.modifiers.has("override"), !node.modifiers.has("class"),
        Self.beforeAndAfterTests.contains(node.name.text),
        node.signature.parameterClause.parameters.isEmpty,
        node.signature.effectSpecifiers?.asyncSpecifier == nil, !node.modifiers.has("nonisolated"),
        let scope = scopes.last?.scope, let body = node.body,
        isOfMainActorByDefault || scope.attributes.has("MainActor")
          || node.attributes.has("MainActor") || project.isOnMainActor(scope.name)
      else { return }
      if let isolation = node.attributes.first("MainActor") { edits.remove(isolation.bytes) }
      let word = node.isThrowing ? "try " : ""
      edits.insert(" \(word)MainActor.assumeIsolated {", at: body.leftBrace.bytes.upperBound)
      edits.insert("} ", at: body.rightBrace.bytes.lowerBound)
    }
  }
#endif
