import CRuntime

/// The layouts of a frozen model's entities, made once and kept by the entities.
///
/// Called by the coordinator when it is created with the model.
enum ModelLayouts {
  // Serializes the making, so that two coordinators do not number one model twice.
  private static let lock = NSLock()

  /// Freezes the model and returns its layouts by number, from 1.
  static func layouts(of model: NSManagedObjectModel) -> [EntityLayout] {
    model.freeze()
    ModelsInUse.enter(model)
    return lock.withLock { known(model) ?? makeLayouts(numbered(model)) }
  }

  /// The existing layouts; nil if an entity has none.
  private static func known(_ model: NSManagedObjectModel) -> [EntityLayout]? {
    var layouts: [EntityLayout] = []
    for entity in model.entities {
      guard let layout = entity.layoutStorage as? EntityLayout else { return nil }
      layouts.append(layout)
    }
    return layouts.sorted { $0.number < $1.number }
  }

  /// Makes the missing layouts. Entities get them only after all layouts are joined.
  private static func makeLayouts(_ entities: [NumberedEntity]) -> [EntityLayout] {
    let layouts = entities.map {
      $0.entity.layoutStorage as? EntityLayout
        ?? EntityLayout(entity: $0.entity, number: $0.number, rootNumber: $0.rootNumber)
    }
    let byEntity = Dictionary(
      uniqueKeysWithValues: zip(entities.map { ObjectIdentifier($0.entity) }, layouts))
    for layout in layouts where layout.entity.layoutStorage == nil { layout.join(byEntity) }
    for layout in layouts where layout.entity.layoutStorage == nil {
      layout.entity.layoutStorage = layout
      layout.endCounting()
    }
    return layouts
  }

  private struct NumberedEntity {
    let entity: NSEntityDescription
    let number: Int
    let rootNumber: Int
  }

  /// Numbers entities by a depth-first walk: roots by name, case-insensitively, each followed by
  /// its subentities.
  private static func numbered(_ model: NSManagedObjectModel) -> [NumberedEntity] {
    var result: [NumberedEntity] = []
    func visit(_ entity: NSEntityDescription, rootNumber: Int?) {
      let number = result.count + 1
      let rootNumber = rootNumber ?? number
      result.append(NumberedEntity(entity: entity, number: number, rootNumber: rootNumber))
      for child in sorted(entity.subentities) { visit(child, rootNumber: rootNumber) }
    }
    for root in sorted(model.entities.filter { $0.superentity == nil }) {
      visit(root, rootNumber: nil)
    }
    return result
  }

  /// Sorts by name, ignoring case; names that differ only in case, by code points.
  private static func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    entities.map { ($0.name ?? "", $0) }
      .sorted { ($0.0.lowercased(), $0.0) < ($1.0.lowercased(), $1.0) }
      .map(\.1)
  }
}

extension EntityLayout {
  /// Makes the layout and its entity immortal. They refer to each other and are never freed anyway,
  /// and each new object refers to both: counting would have all threads write both reference
  /// counts.
  fileprivate func endCounting() {
    for object in [self, entity] as [AnyObject] {
      // Sound: `swift_stdlib_immortalize` changes only the reference count of a live object.
      _swift_stdlib_immortalize(Unmanaged.passUnretained(object).toOpaque())
    }
  }
}

extension NSManagedObjectModel {
  /// The layouts of the entities by number, from 1. Freezes the model.
  package final func entityLayouts() -> [EntityLayout] { ModelLayouts.layouts(of: self) }
}

extension NSEntityDescription {
  /// The layout of this entity's objects. Freezes the entity's model.
  ///
  /// Traps if the entity is in no model: its objects could not be stored.
  package final var layout: EntityLayout {
    if let layout = layoutStorage { return unsafeDowncast(layout, to: EntityLayout.self) }
    _ = managedObjectModel.entityLayouts()
    guard let layout = layoutStorage as? EntityLayout else {
      fatalError("The entity “\(name ?? "")” is not among the entities of its model.")
    }
    return layout
  }
}
