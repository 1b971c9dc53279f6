#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    private static let beforeAndAfterTests: Set<String> = [
      "setUp", "setUpWithError", "tearDown", "tearDownWithError",
    ]

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
