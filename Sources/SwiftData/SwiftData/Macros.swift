#if SwiftData
  // The members that the macros generate are written in the target SwiftDataMacros.

  /// Makes a class a persistent model: a store keeps its stored properties, and Observation tracks
  /// them.
  ///
  /// ```swift
  /// @Model
  /// final class Book {
  ///   var title: String
  ///   @Relationship(deleteRule: .cascade, inverse: \Chapter.book) var chapters: [Chapter] = []
  ///
  ///   init(title: String) { self.title = title }
  /// }
  /// ```
  ///
  /// Source: developer.apple.com/documentation/swiftdata/model()
  @attached(
    member, conformances: Observable, PersistentModel, Sendable, names: named(_$backingData),
    named(persistentBackingData), named(schemaMetadata), named(init), named(_$faceLink),
    named(_$modelContent), named(_$observationRegistrar), named(_SwiftDataNoType), named(access),
    named(withMutation)
  )
  @attached(memberAttribute)
  @attached(extension, conformances: Observable, PersistentModel, Sendable)
  public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "ModelMacro")

  /// Adds the accessors of a persisted property. `@Model` attaches it; client code does not.
  @attached(accessor, names: named(init), named(get), named(set))
  @attached(peer, names: prefixed(_), prefixed(_$property_))
  public macro _PersistedProperty() =
    #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

  /// Customizes how an attribute is stored: unique, outside of the file, by a transformer, under an
  /// older name.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/attribute(_:originalname:hashmodifier:)
  @attached(peer)
  public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
  ) = #externalMacro(module: "SwiftDataMacros", type: "AttributeMacro")

  /// Customizes a relationship: its inverse, and the effect of a deletion on the models at its
  /// other end. Declare the inverse on one side only: key paths that name each other are circular
  /// to the compiler.
  ///
  /// Source: developer.apple.com/documentation/swiftdata, the page
  /// `Relationship(_:deleteRule:…:originalName:inverse:hashModifier:)`
  @attached(peer)
  public macro Relationship(
    _ options: Schema.Relationship.Option...,
    deleteRule: Schema.Relationship.DeleteRule = .nullify, minimumModelCount: Int? = 0,
    maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
    hashModifier: String? = nil
  ) = #externalMacro(module: "SwiftDataMacros", type: "RelationshipMacro")

  /// Excludes a property from the store. Such a property needs a default value.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/transient()
  @attached(peer)
  public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "TransientMacro")

  /// Uniqueness constraints of a model class: no two models have equal values of all properties of
  /// one constraint. Written inside of the class: `#Unique<Book>([\.isbn], [\.title, \.author])`.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/unique(_:)
  @freestanding(declaration)
  public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "UniqueMacro")

  /// Indexes of a model class, for the properties that fetches search and sort by. Written inside
  /// of the class: `#Index<Book>([\.title])`.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/index(_:)-74ia2
  @freestanding(declaration)
  public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "IndexMacro")

  /// Indexes of a model class with the kind of each:
  /// `#Index<Place>(.binary([\.name]), .rtree([\.latitude, \.longitude]))`.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/index(_:)-7d4z0
  @freestanding(declaration)
  public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
    #externalMacro(module: "SwiftDataMacros", type: "IndexMacro")

  /// Gives an actor its own context on a container, `modelContext`, and its own queue to use it on.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/modelactor()
  @attached(member, names: named(modelExecutor), named(modelContainer), named(init))
  @attached(extension, conformances: ModelActor)
  public macro ModelActor() =
    #externalMacro(module: "SwiftDataMacros", type: "ModelActorMacro")
#endif
