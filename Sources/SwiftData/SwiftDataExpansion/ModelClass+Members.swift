#if SwiftData
  import SwiftSyntax

  /// The members that `@Model` adds to a class. Their names are part of the API, including the
  /// underscored ones: existing sources write accessors of their own with `_$backingData` and
  /// `_title = _SwiftDataNoType()`.
  ///
  /// A subclass (`@Model class Dog: Animal`) overrides members. Constraints on the generated code:
  ///
  /// - The base class's members satisfy the requirements of `PersistentModel` that mention `Self`,
  ///   with types that name the base: through the protocol, `Animal`'s `init(backingData:)`
  ///   dynamically makes a `Dog`. So the overrides use the base's types, `any BackingData<Animal>`.
  ///   `Animal.Root` is that type at any depth, which a macro cannot find by name.
  /// - Only a final class without a base has the initialiser that makes faces: an inherited one
  ///   would have to be `required`, and hand-written subclasses do not implement it.
  /// - The initial values of the subclass's properties are set before `super.init`, so before the
  ///   base class is initialised. While an instance is being made, each class of the tree therefore
  ///   has backing data of its own. The first use of `_$modelContent` copies the values into the
  ///   backing data of the most derived class, which all classes use from then on.
  /// - `access` and `withMutation` are overloads, for key paths of the subclass.
  /// - `schemaMetadata` lists the class's own properties only.
  extension ModelClass {
    var members: [DeclSyntax] {
      let faceLink: [DeclSyntax] =
        base == nil ? ["@Transient\nprivate var _$faceLink = SwiftData._FaceLink()"] : []
      return storage + faceLink + observation
    }

    private var storage: [DeclSyntax] {
      [
        "@Transient\nprivate var _$backingData = SwiftData._ModelBacking<\(raw: name)>()",
        content,
      ] + persistentBackingData + [metadata, initializer] + faceInitializer
    }

    private var observation: [DeclSyntax] {
      [
        """
        @Transient
        private var _$observationRegistrar: Observation.ObservationRegistrar {
          SwiftData._registrar(of: self)
        }
        """,
        """
        internal nonisolated func access<_M>(keyPath: KeyPath<\(raw: name), _M>) {
          SwiftData._noteAccess(self, keyPath)
        }
        """,
        """
        internal nonisolated func withMutation<_M, _MR>(
          keyPath: KeyPath<\(raw: name), _M>, _ mutation: () throws -> _MR
        ) rethrows -> _MR {
          try SwiftData._withMutation(self, keyPath, mutation)
        }
        """,
        "struct _SwiftDataNoType {}",
      ]
    }

    private var content: DeclSyntax {
      guard base != nil else {
        return """
          \(raw: overridableAccess)var _$modelContent: SwiftData._ModelContent {
            get { _$backingData.content }
            set {
              _$backingData = SwiftData._ModelBacking(newValue)
              _$faceLink = SwiftData._FaceLink(newValue)
            }
          }
          """
      }
      return """
        \(raw: overridableAccess)override var _$modelContent: SwiftData._ModelContent {
          get {
            let inherited = super._$modelContent
            guard let joined = SwiftData._joined(_$backingData, inherited) else { return inherited }
            super._$modelContent = joined
            return joined
          }
          set {
            _$backingData = SwiftData._ModelBacking(newValue)
            super._$modelContent = newValue
          }
        }
        """
    }

    /// Empty for a subclass: it inherits the property, which uses the overridden `_$modelContent`.
    private var persistentBackingData: [DeclSyntax] {
      guard base == nil else { return [] }
      return [
        """
        \(raw: overridableAccess)var persistentBackingData: any SwiftData.BackingData<\(raw: name)> {
          get { SwiftData._backingData(_$modelContent, of: \(raw: name).self) }
          set { _$modelContent = newValue._content }
        }
        """
      ]
    }

    private var faceInitializer: [DeclSyntax] {
      guard isFinal, base == nil else { return [] }
      let last = [
        "_$backingData = SwiftData._ModelBacking(content)",
        "_$faceLink = SwiftData._FaceLink(content)",
      ]
      return [
        """
        \(raw: access)init(_$content content: SwiftData._ModelContent) {
          \(raw: (storageInitializers + last).joined(separator: "\n"))
        }
        """
      ]
    }

    private var metadata: DeclSyntax {
      let isOverridden = overridableAccess == "open " && !isFinal
      let words =
        (isOverridden ? overridableAccess : access) + (base == nil ? "" : "override ")
        + (isFinal && base == nil ? "static" : "class")
      let entries = schemaMetadata
      let body: String
      if hasConditions {
        body =
          "var metadata: [SwiftData.Schema.PropertyMetadata] = []\n"
          + entries.map { $0.hasPrefix("#") ? $0 : "metadata.append(\($0))" }
          .joined(separator: "\n") + "\nreturn metadata"
      } else {
        body =
          entries.isEmpty
          ? "return []" : "return [\n" + entries.joined(separator: ",\n") + "\n]"
      }
      return """
        \(raw: words) var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
          \(raw: body)
        }
        """
    }

    private var initializer: DeclSyntax {
      let words = access + (isFinal && base == nil ? "" : "required ")
      let last =
        base == nil
        ? "self.persistentBackingData = backingData" : "super.init(backingData: backingData)"
      let type = base.map { "\($0).Root" } ?? name
      return """
        \(raw: words)init(backingData: any SwiftData.BackingData<\(raw: type)>) {
          \(raw: (storageInitializers + [last]).joined(separator: "\n"))
        }
        """
    }
  }
#endif
