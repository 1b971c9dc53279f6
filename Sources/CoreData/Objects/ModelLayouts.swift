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
    return lock.withLock {
      numbered(model).map { entity in
        entity.entity.layoutStorage as? EntityLayout ?? makeLayout(entity)
      }
    }
  }

  private struct NumberedEntity {
    let entity: NSEntityDescription
    let number: Int
    let rootNumber: Int
  }

  private static func makeLayout(_ numbered: NumberedEntity) -> EntityLayout {
    let layout = EntityLayout(
      entity: numbered.entity, number: numbered.number, rootNumber: numbered.rootNumber)
    numbered.entity.layoutStorage = layout
    return layout
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
