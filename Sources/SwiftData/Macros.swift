#if SwiftData
  // What the macros add is in the target SwiftDataMacros.

  /// Makes a class a model: its stored properties are kept by a store, and observed.
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

  /// The accessors of a property that is kept; `@Model` puts it where it belongs.
  @attached(accessor, names: named(init), named(get), named(set))
  @attached(peer, names: prefixed(_), prefixed(_$property_))
  public macro _PersistedProperty() =
    #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

  /// How an attribute is kept: unique, outside of the file, by a transformer, under an older name.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/attribute(_:originalname:hashmodifier:)
  @attached(peer)
  public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
  ) = #externalMacro(module: "SwiftDataMacros", type: "AttributeMacro")

  /// What a relationship leads back by, and what a deletion does to the models at its other end. Named on one side
  /// alone: key paths that name each other are circular to the compiler.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/relationship(_:deleterule:minimummodelcount:maximummodelcount:originalname:inverse:hashmodifier:)
  @attached(peer)
  public macro Relationship(
    _ options: Schema.Relationship.Option...,
    deleteRule: Schema.Relationship.DeleteRule = .nullify, minimumModelCount: Int? = 0,
    maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
    hashModifier: String? = nil
  ) = #externalMacro(module: "SwiftDataMacros", type: "RelationshipMacro")

  /// Leaves a property to the instance: it is not kept, and needs a default value.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/transient()
  @attached(peer)
  public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "TransientMacro")

  /// The properties that no two models have the same values of, inside of the model's class: `#Unique<Book>([\.isbn],
  /// [\.title, \.author])`.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/unique(_:)
  @freestanding(declaration)
  public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "UniqueMacro")

  /// The properties that fetches search and sort by, inside of the model's class: `#Index<Book>([\.title])`.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/index(_:)-74ia2
  @freestanding(declaration)
  public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "IndexMacro")

  /// The same with kinds of indexes: `#Index<Place>(.binary([\.name]), .rtree([\.latitude, \.longitude]))`.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/index(_:)-7d4z0
  @freestanding(declaration)
  public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
    #externalMacro(module: "SwiftDataMacros", type: "IndexMacro")

  /// Gives an actor a context of its own on a container, `modelContext`, and a queue of its own to use it on.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/modelactor()
  @attached(member, names: named(modelExecutor), named(modelContainer), named(init))
  @attached(extension, conformances: ModelActor)
  public macro ModelActor() =
    #externalMacro(module: "SwiftDataMacros", type: "ModelActorMacro")
#endif
