#if SwiftData
  /// What the macros write, whole.
  enum Expected {
    static let model = """

      final class Book {
        var isbn: String {
          @storageRestrictions(accesses: _$backingData, initializes: _isbn)
          init(initialValue) {
            if !_$backingData._isInert, !_$backingData._keeps(initialValue, Self._$property_isbn) {
              _$backingData.setValue(forKey: \\.isbn, to: initialValue)
            }
            _isbn = _SwiftDataNoType()
          }
          get {
            SwiftData._value(_$backingData.managed, Self._$property_isbn) {
              self.access(keyPath: \\.isbn)
              return self.getValue(forKey: \\.isbn)
            }
          }
          set {
            SwiftData._set(_$backingData.managed, Self._$property_isbn, to: newValue) {
              self.withMutation(keyPath: \\.isbn) {
                self.setValue(forKey: \\.isbn, to: newValue)
              }
            }
          }
        }
        private var _isbn: _SwiftDataNoType

        private nonisolated static let _$property_isbn = SwiftData._StoredProperty("isbn")
        var mood: Mood {
          @storageRestrictions(accesses: _$backingData, initializes: _mood)
          init(initialValue) {
            if !_$backingData._isInert, !_$backingData._keeps(initialValue, Self._$property_mood) {
              _$backingData.setValue(forKey: \\.mood, to: initialValue)
            }
            _mood = _SwiftDataNoType()
          }
          get {
            SwiftData._value(_$backingData.managed, Self._$property_mood) {
              self.access(keyPath: \\.mood)
              return self.getValue(forKey: \\.mood)
            }
          }
          set {
            SwiftData._set(_$backingData.managed, Self._$property_mood, to: newValue) {
              self.withMutation(keyPath: \\.mood) {
                self.setValue(forKey: \\.mood, to: newValue)
              }
            }
          }
        }
        private var _mood: _SwiftDataNoType

        private nonisolated static let _$property_mood = SwiftData._StoredProperty("mood")
        private var _$backingData = SwiftData._ModelBacking<Book>()

        public var _$modelContent: SwiftData._ModelContent {
          get {
            _$backingData.content
          }
          set {
            _$backingData = SwiftData._ModelBacking(newValue)
            _$faceLink = SwiftData._FaceLink(newValue)
          }
        }

        public var persistentBackingData: any SwiftData.BackingData<Book> {
          get {
            SwiftData._backingData(_$modelContent, of: Book.self)
          }
          set {
            _$modelContent = newValue._content
          }
        }

        static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
          return [
            SwiftData.Schema.PropertyMetadata(name: "isbn", keypath: \\Book.isbn, defaultValue: nil, metadata: SwiftData.Schema.Attribute(.unique)),
            SwiftData.Schema.PropertyMetadata(name: "mood", keypath: \\Book.mood, defaultValue: .good as Mood, metadata: nil)
          ]
        }

        init(backingData: any SwiftData.BackingData<Book>) {
          _isbn = _SwiftDataNoType()
          _mood = _SwiftDataNoType()
          self.persistentBackingData = backingData
        }

        init(_$content content: SwiftData._ModelContent) {
          _isbn = _SwiftDataNoType()
          _mood = _SwiftDataNoType()
          _$backingData = SwiftData._ModelBacking(content)
          _$faceLink = SwiftData._FaceLink(content)
        }
        private var _$faceLink = SwiftData._FaceLink()
        private var _$observationRegistrar: Observation.ObservationRegistrar {
          SwiftData._registrar(of: self)
        }

        internal nonisolated func access<_M>(keyPath: KeyPath<Book, _M>) {
          SwiftData._noteAccess(self, keyPath)
        }

        internal nonisolated func withMutation<_M, _MR>(
          keyPath: KeyPath<Book, _M>, _ mutation: () throws -> _MR
        ) rethrows -> _MR {
          try SwiftData._withMutation(self, keyPath, mutation)
        }

        struct _SwiftDataNoType {
        }
      }

      extension Book: nonisolated Observation.Observable {
      }

      extension Book: nonisolated SwiftData.PersistentModel {
      }

      @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use Book's persistentModelID instead.")
      extension Book: Sendable {
      }
      """

    static let subclass = """

      public class Dog: Animal, Codable {
        var tricks {
          @storageRestrictions(accesses: _$backingData, initializes: _tricks)
          init(initialValue) {
            if !_$backingData._isInert, !_$backingData._keeps(initialValue, Self._$property_tricks) {
              _$backingData.setValue(forKey: \\.tricks, to: initialValue)
            }
            _tricks = _SwiftDataNoType()
          }
          get {
            SwiftData._value(_$backingData.managed, Self._$property_tricks) {
              self.access(keyPath: \\.tricks)
              return self.getValue(forKey: \\.tricks)
            }
          }
          set {
            SwiftData._set(_$backingData.managed, Self._$property_tricks, to: newValue) {
              self.withMutation(keyPath: \\.tricks) {
                self.setValue(forKey: \\.tricks, to: newValue)
              }
            }
          }
        }
        private var _tricks: _SwiftDataNoType

        private nonisolated static let _$property_tricks = SwiftData._StoredProperty("tricks")
        private var _$backingData = SwiftData._ModelBacking<Dog>()

        public override var _$modelContent: SwiftData._ModelContent {
          get {
            let inherited = super._$modelContent
            guard let joined = SwiftData._joined(_$backingData, inherited) else {
              return inherited
            }
            super._$modelContent = joined
            return joined
          }
          set {
            _$backingData = SwiftData._ModelBacking(newValue)
            super._$modelContent = newValue
          }
        }

        public override class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
          return [
            SwiftData.Schema.PropertyMetadata(name: "tricks", keypath: \\Dog.tricks, defaultValue: 1, metadata: nil)
          ]
        }

        public required init(backingData: any SwiftData.BackingData<Animal.Root>) {
          _tricks = _SwiftDataNoType()
          super.init(backingData: backingData)
        }
        private var _$observationRegistrar: Observation.ObservationRegistrar {
          SwiftData._registrar(of: self)
        }

        internal nonisolated func access<_M>(keyPath: KeyPath<Dog, _M>) {
          SwiftData._noteAccess(self, keyPath)
        }

        internal nonisolated func withMutation<_M, _MR>(
          keyPath: KeyPath<Dog, _M>, _ mutation: () throws -> _MR
        ) rethrows -> _MR {
          try SwiftData._withMutation(self, keyPath, mutation)
        }

        struct _SwiftDataNoType {
        }
      }
      """

    static let actor = """
      public actor A {

        public nonisolated let modelExecutor: any SwiftData.ModelExecutor

        public nonisolated let modelContainer: SwiftData.ModelContainer

        public init(modelContainer: SwiftData.ModelContainer) {
          let modelContext = SwiftData.ModelContext(modelContainer)
          self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
          self.modelContainer = modelContainer
        }
      }

      extension A: SwiftData.ModelActor {
      }
      """
  }
#endif
