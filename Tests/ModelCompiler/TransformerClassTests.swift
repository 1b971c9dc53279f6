import Foundation
import Testing

@testable import ModelCompiler

/// Value transformers, which models name by their class.
@Suite(.enabled(if: TemporaryTarget.compiler != nil, "there is no swiftc on the path"))
struct TransformerClassTests {
  @Test func areRegisteredByBothNames() throws {
    var target = try TemporaryTarget()
    try target.addSource(
      """
      import CoreData
      final class ColourTransformer: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? { nil }
        var name: String { "" }
      }
      enum Kit { class Secure: NSSecureUnarchiveFromDataTransformer {} }
      final class Heir: Kit.Secure {}
      extension Heir { static func register() {} }
      // None of these can be made by its name alone.
      private final class Hidden: ValueTransformer {}
      final class Filled: ValueTransformer { init(_ number: Int) {} }
      final class FilledHeir: Filled {}
      class Generic<T>: ValueTransformer {}
      @MainActor final class OnMain: ValueTransformer {}
      """)
    try target.withOutput { text in
      expectPart(
        """
        ColourTransformer.register(as: "ColourTransformer") { ColourTransformer() }
        ColourTransformer.register(as: "App.ColourTransformer") { ColourTransformer() }
        Heir.register(as: "Heir") { Heir() }
        Heir.register(as: "App.Heir") { Heir() }
        Kit.Secure.register(as: "Kit.Secure") { Kit.Secure() }
        """, in: text)
      for name in ["Hidden", "Filled", "Generic", "OnMain", "ManagedObjectClasses"] {
        #expect(!text.contains(name), "\(name)")
      }
    }
  }
}
