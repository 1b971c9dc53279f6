#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    private static let beforeAndAfterTests: Set<String> = [
      "setUp", "setUpWithError", "tearDown", "tearDownWithError",
    ]

    /// The list of tests that SwiftPM makes, in a module of Swift 5, has functions of no actor: one of an actor does not fit,
    /// and ends the program before the first test. `@preconcurrency` makes it fit; the main thread runs tests.
    func list(_ attributes: AttributeListSyntax) {
      guard isTest, !attributes.has("preconcurrency"),
        let isolation = attributes.lazy.compactMap({ $0.as(AttributeSyntax.self) })
          .first(where: { $0.name == "MainActor" })
      else { return }
      edits.insert("@preconcurrency ", at: isolation.bytes.lowerBound)
    }

    /// Tests of a class, or of an extension, are on its actor.
    func list(_ node: ClassDeclSyntax) {
      if node.inheritanceClause != nil { list(node.attributes) }
    }

    func list(_ node: FunctionDeclSyntax) {
      if node.isMember, node.name.text.hasPrefix("test") { list(node.attributes) }
    }

    /// What XCTest calls before and after each test of a class on the main actor. Of a class of Objective-C an override is
    /// on the actor of its own class; here it is on that of XCTest's method, on none, though the main thread runs it.
    func isolate(_ node: FunctionDeclSyntax) {
      guard isTest, node.isMember, node.modifiers.has("override"), !node.modifiers.has("class"),
        Self.beforeAndAfterTests.contains(node.name.text),
        node.signature.parameterClause.parameters.isEmpty,
        node.signature.effectSpecifiers?.asyncSpecifier == nil, !node.modifiers.has("nonisolated"),
        !node.attributes.has("MainActor"), let scope = scopes.last?.scope, let body = node.body,
        scope.attributes.has("MainActor") || project.isOnMainActor(scope.name)
      else { return }
      let word = node.isThrowing ? "try " : ""
      edits.insert(" \(word)MainActor.assumeIsolated {", at: body.leftBrace.bytes.upperBound)
      edits.insert("} ", at: body.rightBrace.bytes.lowerBound)
    }
  }
#endif
