#if SwiftData
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@_PersistedProperty`, which `@Model` puts on every property that is kept.
  open class PersistedPropertyMacro {}

  extension PersistedPropertyMacro: AccessorMacro {
    public static func expansion(
      of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
      guard let variable = declaration.as(VariableDeclSyntax.self),
        let property = PersistedProperty(variable)
      else { return [] }
      let key = "\\.\(property.reference)"
      let function = property.isTransformable ? "TransformableValue" : "Value"
      return [
        """
        @storageRestrictions(accesses: _$backingData, initializes: _\(raw: property.name))
        init(initialValue) {
          _$backingData.set\(raw: function)(forKey: \(raw: key), to: initialValue)
          _\(raw: property.name) = _SwiftDataNoType()
        }
        """,
        """
        get {
          self.access(keyPath: \(raw: key))
          return self.get\(raw: function)(forKey: \(raw: key))
        }
        """,
        """
        set {
          self.withMutation(keyPath: \(raw: key)) {
            self.set\(raw: function)(forKey: \(raw: key), to: newValue)
          }
        }
        """,
      ]
    }
  }

  extension PersistedPropertyMacro: PeerMacro {
    public static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let variable = declaration.as(VariableDeclSyntax.self),
        let property = PersistedProperty(variable)
      else { return [] }
      return ["@Transient\nprivate var _\(raw: property.name): _SwiftDataNoType"]
    }
  }
#endif
