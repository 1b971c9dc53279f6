#if SwiftData
  import SwiftSyntax

  /// What `@Model` adds to a class. The names, the underscored ones too, are part of the API: sources in the wild
  /// write accessors of their own with `_$backingData` and `_title = _SwiftDataNoType()`.
  ///
  /// A subclass (`@Model class Dog: Animal`) overrides. What compiles, and why it is so:
  ///
  /// - The requirements of `PersistentModel` that mention `Self` are satisfied by the base class's members, whose
  ///   types name the base: through the protocol, a `Dog` is made by `Animal`'s `init(backingData:)`, dynamically. So
  ///   the overrides have the base's types, `any BackingData<Animal>`; `Animal.Root` is that type at any depth, which
  ///   a macro cannot find out by name.
  /// - Only a final class without a base has the initialiser that faces are made by: one that is inherited would have to
  ///   be `required`, and hand-written subclasses do not have it.
  /// - Initial values of the subclass's properties exist before `super.init`, so before anything of the base class:
  ///   each class of the tree has backing data of its own while an instance is being made. At the first use of
  ///   `_$modelContent` those of the most derived class take over the others' values, and are everybody's from then
  ///   on.
  /// - `access` and `withMutation` are overloads, for key paths of the subclass's own.
  /// - `schemaMetadata` names the class's own properties; the base's are the base's.
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

    /// A subclass's is its base's, which goes by what the subclass overrides.
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
