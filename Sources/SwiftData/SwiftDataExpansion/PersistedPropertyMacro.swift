#if SwiftData
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The macro `@_PersistedProperty`, which `@Model` attaches to every persisted property.
  ///
  /// The accessors use the managed object of a model in a context, through a name that caches the
  /// property's position. All other models go through key paths, as accessors that a client writes
  /// do.
  open class PersistedPropertyMacro {}

  extension PersistedPropertyMacro: AccessorMacro {
    /// The accessors `init`, `get` and `set`.
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
    /// The storage marker `_name` and the cached name `_$property_name`.
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
