#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    /// Attributes without a meaning if there is no Objective-C or no user interface.
    private static let removed: Set<String> = [
      "objc", "objcMembers", "nonobjc", "IBOutlet", "IBAction", "IBSegueAction", "IBInspectable",
      "IBDesignable", "GKInspectable", "UIApplicationMain", "NSApplicationMain",
      "NSApplicationMain",
    ]

    /// Matches macros of FoundationModels: `@Generable` adds to a type, and `@Guide` describes a
    /// property of such a type.
    private func isOfLanguageModels(_ node: AttributeSyntax) -> Bool {
      node.name == "Generable"
        || node.name == "Guide" && scopes.last?.scope.attributes.has("Generable") ?? false
    }

    func rewrite(_ node: AttributeSyntax) {
      if Self.removed.contains(node.name) || isOfLanguageModels(node) {
        edits.remove(node.bytes)
      } else if node.name == "convention",
        let arguments = node.arguments?.trimmedDescription, arguments.hasPrefix("block")
      {
        edits.remove(node.bytes)
      } else if node.name == "NSCopying" {
        remark(
          at: node,
          reason: "@NSCopying needs Objective-C, and without it the property would not copy",
          remedy: "copy in a setter or in didSet")
      }
    }

    /// Matches `unowned` before a property that is a managed object. On Apple's systems fetched
    /// objects live until the pool of a block is drained, and sources rely on it: here such a
    /// property keeps its object.
    func isOfManagedObject(_ node: DeclModifierSyntax) -> Bool {
      guard node.name.text == "unowned",
        let property = node.parent?.parent?.as(VariableDeclSyntax.self), property.isMember,
        let type = property.bindings.first?.typeAnnotation?.type
      else { return false }
      return project.isManaged(type.plainName)
    }

    /// Frameworks whose import is replaced by Foundation: they re-export it or are part of it here,
    /// and have nothing else that exists on this platform.
    private static let bringingFoundation: Set<String> = [
      "UIKit", "AppKit", "Cocoa", "SwiftUI", "WatchKit", "ObjectiveC", "Darwin", "CoreGraphics",
      "QuartzCore", "CoreFoundation",
    ]

    func rewrite(_ node: ImportDeclSyntax) {
      guard let module = node.path.first?.name.text else { return }
      let path = node.path.bytes
      if Self.bringingFoundation.contains(module) {
        if let kind = node.importKindSpecifier { edits.remove(kind.bytes) }
        edits.replace(path, with: "Foundation")
      } else if node.path.count > 1, node.importKindSpecifier == nil {
        // Imports of a submodule or a header become imports of the module: modules have no parts
        // here.
        edits.replace(path, with: module)
      }
    }

    /// Replaces configured conditions by `true`, since the compiler does not know them: a name, or
    /// a platform as in `os(macOS)`.
    func settle(_ condition: ExprSyntax) {
      if let call = condition.as(FunctionCallExprSyntax.self) {
        if conditions.contains(call.trimmedDescription) { edits.replace(call.bytes, with: "true") }
      } else if let name = condition.as(DeclReferenceExprSyntax.self) {
        if conditions.contains(name.trimmedDescription) { edits.replace(name.bytes, with: "true") }
      } else {
        for child in condition.children(viewMode: .sourceAccurate) { settle(in: child) }
      }
    }

    private func settle(in node: Syntax) {
      if let expression = node.as(ExprSyntax.self) { return settle(expression) }
      for child in node.children(viewMode: .sourceAccurate) { settle(in: child) }
    }
  }
#endif
