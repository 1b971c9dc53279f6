#if SwiftData
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@_PersistedProperty`, which `@Model` puts on every property that is kept.
  ///
  /// The accessors ask the managed object of a model that a context has, by a name that remembers the property's place. All
  /// else goes by key paths, as it does in accessors of a client's own.
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
      let stored = "Self._$property_\(property.name)"
      let function = property.isTransformable ? "TransformableValue" : "Value"
      let isKept =
        property.isTransformable ? "" : ", !_$backingData._keeps(initialValue, \(stored))"
      return [
        """
        @storageRestrictions(accesses: _$backingData, initializes: _\(raw: property.name))
        init(initialValue) {
          if !_$backingData._isInert\(raw: isKept) {
            _$backingData.set\(raw: function)(forKey: \(raw: key), to: initialValue)
          }
          _\(raw: property.name) = _SwiftDataNoType()
        }
        """,
        """
        get {
          SwiftData._value(_$backingData.managed, \(raw: stored)) {
            self.access(keyPath: \(raw: key))
            return self.get\(raw: function)(forKey: \(raw: key))
          }
        }
        """,
        """
        set {
          SwiftData._set(_$backingData.managed, \(raw: stored), to: newValue) {
            self.withMutation(keyPath: \(raw: key)) {
              self.set\(raw: function)(forKey: \(raw: key), to: newValue)
            }
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
      return [
        "@Transient\nprivate var _\(raw: property.name): _SwiftDataNoType",
        """
        private nonisolated static let _$property_\(raw: property.name) = \
        SwiftData._StoredProperty("\(raw: property.name)")
        """,
      ]
    }
  }
#endif
