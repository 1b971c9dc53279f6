import CRuntime

/// The layouts of a frozen model's entities, made once and kept in the entities themselves.
///
/// Called by the coordinator when it takes the model.
enum ModelLayouts {
  // Guards the making, so that two coordinators do not number one model twice.
  private static let lock = NSLock()

  /// Freezes the model and returns its layouts by number, from 1.
  static func layouts(of model: NSManagedObjectModel) -> [EntityLayout] {
    model.freeze()
    LoadedModels.enter(model)
    return lock.withLock { known(model) ?? makeLayouts(numbered(model)) }
  }

  /// nil while some entity has no layout.
  private static func known(_ model: NSManagedObjectModel) -> [EntityLayout]? {
    var layouts: [EntityLayout] = []
    for entity in model.entities {
      guard let layout = entity.layoutStorage as? EntityLayout else { return nil }
      layouts.append(layout)
    }
    return layouts.sorted { $0.number < $1.number }
  }

  /// Nobody sees a layout before all know each other.
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

  /// A depth-first walk: roots by name, case-insensitively, each followed by its subentities.
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

  /// By name without regard to case; names that differ in nothing else, by their code points.
  private static func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    entities.map { ($0.name ?? "", $0) }
      .sorted { ($0.0.lowercased(), $0.0) < ($1.0.lowercased(), $1.0) }
      .map(\.1)
  }
}

extension EntityLayout {
  /// A layout and its entity refer to each other, and so live for ever. Each object that is made takes references to both:
  /// from here on nobody counts them, or all threads would write two words for every object.
  fileprivate func endCounting() {
    for object in [self, entity] as [AnyObject] {
      _swift_stdlib_immortalize(Unmanaged.passUnretained(object).toOpaque())
    }
  }
}

extension NSManagedObjectModel {
  /// The layouts of the entities by number, from 1. Freezes the model.
  package final func entityLayouts() -> [EntityLayout] { ModelLayouts.layouts(of: self) }
}

extension NSEntityDescription {
  /// Where the properties of this entity's objects live. Freezes the entity's model.
  ///
  /// Traps for an entity that is in no model: its objects cannot be stored anywhere.
  package final var layout: EntityLayout {
    if let layout = layoutStorage { return unsafeDowncast(layout, to: EntityLayout.self) }
    _ = managedObjectModel.entityLayouts()
    guard let layout = layoutStorage as? EntityLayout else {
      fatalError("The entity “\(name ?? "")” is not among the entities of its model.")
    }
    return layout
  }
}
