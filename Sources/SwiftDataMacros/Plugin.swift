#if SwiftData
  import SwiftCompilerPlugin
  import SwiftDataExpansion
  import SwiftSyntaxMacros

  /// The macros of the module SwiftData, by the names that Macros.swift there gives them.
  @main
  struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      ModelMacro.self, PersistedPropertyMacro.self, AttributeMacro.self, RelationshipMacro.self,
      TransientMacro.self, UniqueMacro.self, IndexMacro.self, ModelActorMacro.self,
    ]
  }

  // The compiler finds macros by the plugin's own module. What they do is in a library: of a package with a test of the
  // plugin itself, everything would be built twice, for the plugin's machine too.
  final class ModelMacro: SwiftDataExpansion.ModelMacro {}
  final class PersistedPropertyMacro: SwiftDataExpansion.PersistedPropertyMacro {}
  final class AttributeMacro: SwiftDataExpansion.AttributeMacro {}
  final class RelationshipMacro: SwiftDataExpansion.RelationshipMacro {}
  final class TransientMacro: SwiftDataExpansion.TransientMacro {}
  final class UniqueMacro: SwiftDataExpansion.UniqueMacro {}
  final class IndexMacro: SwiftDataExpansion.IndexMacro {}
  final class ModelActorMacro: SwiftDataExpansion.ModelActorMacro {}
#else
  /// Without its trait, SwiftData has no macros, and the package does without swift-syntax.
  @main
  enum Plugin {
    static func main() {}
  }
#endif
