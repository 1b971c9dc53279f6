#if PortedSources
  import SwiftSyntax

  // Foundation's `NSMutableOrderedSet` removes wrong objects here, and its `intersect` does not
  // return.

  extension SourceRewriter {
    private static let orderedSet = "NSMutableOrderedSet"

    /// Wraps `NSMutableOrderedSet(array: x)`.
    func rewriteOrderedSet(_ node: FunctionCallExprSyntax) {
      let called = node.calledExpression.trimmedDescription
      guard [Self.orderedSet, "Foundation." + Self.orderedSet].contains(called),
        !project.isDeclared(Self.orderedSet)
      else { return }
      wrap(node)
    }

    /// Wraps `set.mutableCopy() as! NSMutableOrderedSet`.
    func rewriteMutableCopy(_ node: AsExprSyntax) {
      guard node.type.trimmedDescription == Self.orderedSet,
        let call = node.expression.as(FunctionCallExprSyntax.self),
        let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        member.declName.baseName.text == "mutableCopy"
      else { return }
      wrap(call)
    }

    private func wrap(_ node: FunctionCallExprSyntax) {
      edits.insert("ObjectiveCSupport.working(", at: node.bytes.lowerBound)
      edits.insert(")", at: node.bytes.upperBound)
    }
  }
#endif
