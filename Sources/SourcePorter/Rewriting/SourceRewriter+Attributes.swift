#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    /// Those that mean nothing without Objective-C, or without a user interface.
    private static let removed: Set<String> = [
      "objc", "objcMembers", "nonobjc", "IBOutlet", "IBAction", "IBSegueAction", "IBInspectable",
      "IBDesignable", "GKInspectable", "UIApplicationMain", "NSApplicationMain",
      "NSApplicationMain",
    ]

    func rewrite(_ node: AttributeSyntax) {
      if Self.removed.contains(node.name) {
        edits.remove(node.bytes)
      } else if node.name == "convention",
        let arguments = node.arguments?.trimmedDescription, arguments.hasPrefix("block")
      {
        edits.remove(node.bytes)
      } else if node.name == "NSCopying" {
        remark(
          at: node, "@NSCopying needs Objective-C, and without it the property would not copy",
          remedy: "copy in a setter or in didSet")
      }
    }

    /// Frameworks that bring Foundation along, and have a user interface or nothing else that is here.
    private static let bringingFoundation: Set<String> = [
      "UIKit", "AppKit", "Cocoa", "SwiftUI", "WatchKit", "ObjectiveC", "Darwin",
    ]

    func rewrite(_ node: ImportDeclSyntax) {
      guard let module = node.path.first?.name.text else { return }
      let path = node.path.bytes
      if Self.bringingFoundation.contains(module) {
        if let kind = node.importKindSpecifier { edits.remove(kind.bytes) }
        edits.replace(path, with: "Foundation")
      } else if node.path.count > 1, node.importKindSpecifier == nil,
        ["os", "Foundation", "CoreData"].contains(module)
      {
        // A part of a framework, which is one module here.
        edits.replace(path, with: module)
      }
    }

    /// Puts in what is said of conditions: the compiler is not told.
    func settle(_ condition: ExprSyntax) {
      for token in condition.tokens(viewMode: .sourceAccurate)
      where conditions.contains(token.text)
        && token.parent?.parent?.is(FunctionCallExprSyntax.self) != true
      {
        edits.replace(token.bytes, with: "true")
      }
    }
  }
#endif
