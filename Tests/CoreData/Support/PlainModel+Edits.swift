import Foundation

@testable import CoreData

// MARK: - At random

extension PlainModel {
  init(random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 2...4, using: &random) { addEntity(&random) }
    for _ in 0..<Int.random(in: 1...4, using: &random) { addRelationship(&random) }
  }

  mutating func addEntity(_ random: inout SplitMix64) {
    let origin = fresh()
    let name = "\(["Book", "author", "Zebra", "Tag"].randomElement(using: &random)!)\(origin)"
    var entity = Entity(name: name, origin: origin, firstName: name)
    if Int.random(in: 0..<3, using: &random) == 0 {
      entity.parent = entities.randomElement(using: &random)?.origin
    }
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      entity.attributes.append(attribute(&random))
    }
    // Abstract from the start: it has no objects, and its subentities have.
    entity.isAbstract = entity.parent == nil && Int.random(in: 0..<6, using: &random) == 0
    entity.isUnique = Int.random(in: 0..<4, using: &random) == 0
    entity.derivesKey = Int.random(in: 0..<5, using: &random) == 0
    entity.countsMembers = Int.random(in: 0..<5, using: &random) == 0
    entities.append(entity)
    if Bool.random(using: &random) { shareName(of: entities.count - 1) }
  }

  /// Gives an attribute a name that attributes of siblings may have too, if nothing in its own line has it.
  private mutating func shareName(of index: Int) {
    let line = entities.filter { isKind($0, of: entities[index].origin) } + chain(entities[index])
    guard !line.flatMap(\.attributes).contains(where: { $0.name == "shared" }),
      let place = entities[index].attributes.firstIndex(where: {
        $0.type != .compositeAttributeType
      })
    else { return }
    entities[index].attributes[place].name = "shared"
  }

  mutating func attribute(_ random: inout SplitMix64) -> Attribute {
    let origin = fresh()
    let name = "\(["name", "date", "Kind", "url"].randomElement(using: &random)!)\(origin)"
    var attribute = Attribute(
      name: name, origin: origin, firstName: name, type: Self.types.randomElement(using: &random)!)
    attribute.hasDefault =
      Bool.random(using: &random) && Self.defaultValue(attribute.type) != nil
    attribute.isOptional = !attribute.hasDefault || Bool.random(using: &random)
    attribute.isExternal =
      attribute.type == .binaryDataAttributeType && Bool.random(using: &random)
    attribute.isLarge = Bool.random(using: &random)
    attribute.isIndexed =
      attribute.type != .compositeAttributeType && Int.random(in: 0..<6, using: &random) == 0
    return attribute
  }

  mutating func addRelationship(_ random: inout SplitMix64) {
    guard let from = entities.indices.randomElement(using: &random),
      let to = entities.indices.randomElement(using: &random)
    else { return }
    let (one, other) = (fresh(), fresh())
    let forth = "to\(one)"
    entities[from].relationships.append(
      Relationship(
        name: forth, origin: one, firstName: forth, destination: entities[to].origin,
        inverse: other, isToMany: Bool.random(using: &random),
        isOrdered: Bool.random(using: &random)))
    let back = "from\(other)"
    entities[to].relationships.append(
      Relationship(
        name: back, origin: other, firstName: back, destination: entities[from].origin,
        inverse: one, isToMany: Bool.random(using: &random),
        isOrdered: Bool.random(using: &random)))
  }

  /// One edit that a mapping can be inferred for; returns what it was.
  mutating func edit(_ random: inout SplitMix64) -> String {
    guard let index = entities.indices.randomElement(using: &random) else { return "nothing" }
    switch Int.random(in: 0..<26, using: &random) {
    case 0:
      entities[index].attributes.append(attribute(&random))
      return "add an attribute"
    case 1:
      if let place = entities[index].attributes.indices.randomElement(using: &random) {
        entities[index].attributes.remove(at: place)
      }
      return "remove an attribute"
    case 2:
      // A version hash leaves the name of a composite attribute out.
      if let place = entities[index].attributes.indices.randomElement(using: &random),
        entities[index].attributes[place].type != .compositeAttributeType
      {
        entities[index].attributes[place].name = "renamed\(fresh())"
      }
      return "rename an attribute"
    case 3:
      if let place = entities[index].attributes.indices.randomElement(using: &random),
        Self.defaultValue(entities[index].attributes[place].type) != nil
      {
        entities[index].attributes[place].isOptional = false
        entities[index].attributes[place].hasDefault = true
      }
      return "make an attribute mandatory"
    case 4:
      if let place = entities[index].attributes.indices.randomElement(using: &random) {
        entities[index].attributes[place].isOptional = true
      }
      return "make an attribute optional"
    case 5:
      addEntity(&random)
      return "add an entity"
    case 6:
      if entities.count > 1 { removeEntity(at: index) }
      return "remove an entity"
    case 7:
      entities[index].name = "Renamed\(fresh())"
      return "rename an entity"
    case 8:
      if let place = entities[index].relationships.indices.randomElement(using: &random) {
        entities[index].relationships[place].isToMany = true
      }
      return "make a relationship to-many"
    case 9:
      if let place = entities[index].relationships.indices.randomElement(using: &random) {
        entities[index].relationships[place].isOrdered.toggle()
      }
      return "change the order of a relationship"
    case 10:
      addRelationship(&random)
      return "add a relationship"
    case 11:
      moveAttribute(from: index, &random)
      return "move an attribute up"
    case 12:
      entities[index].isUnique.toggle()
      return "change a constraint"
    case 13:
      if let place = entities[index].attributes.firstIndex(where: {
        $0.type == .binaryDataAttributeType
      }) {
        entities[index].attributes[place].isExternal.toggle()
      }
      return "move bytes into files or rows"
    case 14:
      entities[index].derivesKey.toggle()
      return "derive an attribute, or no more"
    case 15:
      if let place = entities[index].attributes.indices.randomElement(using: &random),
        entities[index].attributes[place].type != .compositeAttributeType
      {
        entities[index].attributes[place].isIndexed.toggle()
      }
      return "change an index"
    case 16:
      shareName(of: index)
      return "rename to a name of a sibling"
    case 17:
      if let place = entities[index].relationships.indices.randomElement(using: &random) {
        entities[index].relationships[place].name = "renamed\(fresh())"
      }
      return "rename a relationship"
    case 18:
      if let gone = entities[index].relationships.randomElement(using: &random) {
        for other in entities.indices {
          entities[other].relationships.removeAll {
            $0.origin == gone.origin || $0.inverse == gone.origin
          }
        }
      }
      return "remove a relationship"
    case 19:
      addParent(above: index, &random)
      return "add a parent"
    case 20:
      move(index, &random)
      return "move within the hierarchy"
    case 21:
      moveAttributeDown(from: index, &random)
      return "move an attribute down"
    case 22:
      if let place = entities[index].attributes.firstIndex(where: {
        $0.type == .compositeAttributeType
      }) {
        entities[index].attributes[place].isLarge.toggle()
      }
      return "change the elements of a composite"
    case 23:
      entities[index].countsMembers.toggle()
      return "count members, or no more"
    case 24:
      if let place = entities[index].attributes.indices.randomElement(using: &random),
        entities[index].attributes[place].isOptional
      {
        entities[index].attributes[place].hasDefault =
          !entities[index].attributes[place].hasDefault
          && Self.defaultValue(entities[index].attributes[place].type) != nil
      }
      return "give a default, or none"
    default:
      // An abstract one has nothing of its own to bring.
      entities[index].parent = nil
      return "leave the hierarchy"
    }
  }

  private mutating func removeEntity(at index: Int) {
    let gone = entities.remove(at: index)
    for other in entities.indices {
      if entities[other].parent == gone.origin { entities[other].parent = gone.parent }
      entities[other].relationships.removeAll {
        $0.destination == gone.origin
      }
    }
  }

  private mutating func moveAttribute(from index: Int, _ random: inout SplitMix64) {
    guard let parent = entities[index].parent.flatMap({ self.index(of: $0) }),
      let place = entities[index].attributes.indices.randomElement(using: &random),
      !line(below: entities[parent].origin).contains(where: {
        $0.origin != entities[index].origin
          && $0.attributes.contains { $0.name == entities[index].attributes[place].name }
      })
    else { return }
    entities[parent].attributes.append(entities[index].attributes.remove(at: place))
  }

  /// A new entity between an entity and its parent, or above it.
  private mutating func addParent(above index: Int, _ random: inout SplitMix64) {
    let (child, parent) = (entities[index].origin, entities[index].parent)
    addEntity(&random)
    guard let new = entities.indices.last, let index = self.index(of: child) else { return }
    entities[new].parent = parent
    entities[new].isAbstract = Bool.random(using: &random)
    entities[index].parent = entities[new].origin
    // Nothing of its line has the same name.
    for place in entities[new].attributes.indices
    where entities[new].attributes[place].name == "shared" {
      entities[new].attributes[place].name = entities[new].attributes[place].firstName
    }
  }

  /// Under another parent of the same hierarchy.
  private mutating func move(_ index: Int, _ random: inout SplitMix64) {
    guard entities[index].parent != nil else { return }
    let (moved, root) = (entities[index], chain(entities[index]).last?.origin)
    let parents = entities.filter {
      chain($0).last?.origin == root && !isKind($0, of: moved.origin)
    }
    guard let parent = parents.randomElement(using: &random) else { return }
    let below = entities.filter { isKind($0, of: moved.origin) }
    let names = Set(below.flatMap(\.attributes).map(\.name))
    guard !chain(parent).flatMap(\.attributes).contains(where: { names.contains($0.name) }) else {
      return
    }
    entities[index].parent = parent.origin
  }

  private mutating func moveAttributeDown(from index: Int, _ random: inout SplitMix64) {
    let origin = entities[index].origin
    guard
      let child = entities.indices.filter({ entities[$0].parent == origin })
        .randomElement(using: &random),
      let place = entities[index].attributes.indices.randomElement(using: &random)
    else { return }
    entities[child].attributes.append(entities[index].attributes.remove(at: place))
  }

  /// An entity, what derives from it and what it derives from.
  private func line(below origin: Int) -> [Entity] {
    entities.filter { isKind($0, of: origin) } + (self[origin].map(chain) ?? [])
  }
}
