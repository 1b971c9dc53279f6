#if SwiftData
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  /// The macros of the module SwiftData, by the names that Macros.swift there gives them.
  @main
  struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      ModelMacro.self, PersistedPropertyMacro.self, AttributeMacro.self, RelationshipMacro.self,
      TransientMacro.self, UniqueMacro.self, IndexMacro.self, ModelActorMacro.self,
    ]
  }
#else
  /// Without its trait, SwiftData has no macros, and the package does without swift-syntax.
  @main
  enum Plugin {
    static func main() {}
  }
#endif
