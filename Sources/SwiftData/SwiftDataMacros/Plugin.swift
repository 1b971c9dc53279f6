#if SwiftData
  import SwiftCompilerPlugin
  import SwiftDataExpansion
  import SwiftSyntaxMacros

  /// The macros of the module SwiftData, under the names that its Macros.swift uses.
  @main
  struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      ModelMacro.self, PersistedPropertyMacro.self, AttributeMacro.self, RelationshipMacro.self,
      TransientMacro.self, UniqueMacro.self, IndexMacro.self, ModelActorMacro.self,
    ]
  }

  // The compiler looks macros up in the plugin's own module. Their implementation is in a library,
  // because SwiftPM would build the whole package twice, once for the plugin's machine, if a test
  // used the plugin itself.
  final class ModelMacro: SwiftDataExpansion.ModelMacro {}
  final class PersistedPropertyMacro: SwiftDataExpansion.PersistedPropertyMacro {}
  final class AttributeMacro: SwiftDataExpansion.AttributeMacro {}
  final class RelationshipMacro: SwiftDataExpansion.RelationshipMacro {}
  final class TransientMacro: SwiftDataExpansion.TransientMacro {}
  final class UniqueMacro: SwiftDataExpansion.UniqueMacro {}
  final class IndexMacro: SwiftDataExpansion.IndexMacro {}
  final class ModelActorMacro: SwiftDataExpansion.ModelActorMacro {}
#else
  /// Empty program: without its trait, SwiftData has no macros and the package does not need
  /// swift-syntax.
  @main
  enum Plugin {
    static func main() {}
  }
#endif
