#if SwiftData
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxMacroExpansion
  import SwiftSyntaxMacros

  @testable import SwiftDataExpansion

  /// What the macros make of a source.
  struct Expansion {
    let text: String
    /// `error: … at 3:7`, with the place in the source.
    let complaints: [String]

    /// - Parameter isModelAlready: whether the classes inherit from models, which the compiler would say.
    init(_ source: String, isModelAlready: Bool = false) {
      let file = Parser.parse(source: source)
      let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Tests", fullFilePath: "Tests.swift")])
      let conformances: [TypeSyntax] =
        isModelAlready ? [] : ["Observable", "PersistentModel", "Sendable"]
      let expanded = file.expand(
        macroSpecs: [
          "Model": MacroSpec(type: ModelMacro.self, conformances: conformances),
          "_PersistedProperty": MacroSpec(type: PersistedPropertyMacro.self),
          "Attribute": MacroSpec(type: AttributeMacro.self),
          "Relationship": MacroSpec(type: RelationshipMacro.self),
          "Transient": MacroSpec(type: TransientMacro.self),
          "Unique": MacroSpec(type: UniqueMacro.self), "Index": MacroSpec(type: IndexMacro.self),
          "ModelActor": MacroSpec(type: ModelActorMacro.self, conformances: ["ModelActor"]),
        ],
        contextGenerator: {
          BasicMacroExpansionContext(sharingWith: context, lexicalContext: [Syntax($0)])
        },
        indentationWidth: .spaces(2))
      text = expanded.description
      complaints = context.diagnostics.map { diagnostic in
        let place = context.location(
          for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Tests.swift")
        let kind = diagnostic.diagMessage.severity == .warning ? "warning" : "error"
        return "\(place.line):\(place.column) \(kind): \(diagnostic.message)"
      }
    }
  }
#endif
