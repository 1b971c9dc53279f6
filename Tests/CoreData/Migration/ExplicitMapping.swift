import Foundation

@testable import CoreData
@testable import CoreDataSamples

/// The mappings between two plain models, as a developer would write them.
struct ExplicitMapping {
  let old: PlainModel
  let new: PlainModel

  func model() -> NSMappingModel {
    let (source, destination) = (old.model(), new.model())
    let mapping = NSMappingModel()
    mapping.entityMappings = new.entities.filter { !$0.isAbstract }.compactMap { entity in
      guard let former = old[entity.origin], !former.isAbstract else { return nil }
      let mapping = NSEntityMapping()
      mapping.name = "\(former.name)To\(entity.name)"
      mapping.mappingType = .transformEntityMappingType
      mapping.sourceEntityName = former.name
      mapping.sourceEntityVersionHash = source.entitiesByName[former.name]?.versionHash
      mapping.destinationEntityName = entity.name
      mapping.destinationEntityVersionHash = destination.entitiesByName[entity.name]?.versionHash
      mapping.attributeMappings = attributes(of: entity, from: former)
      mapping.relationshipMappings = relationships(of: entity, from: former)
      return mapping
    }
    return mapping
  }

  private func property(_ name: String, _ expression: CoreData.NSExpression?) -> NSPropertyMapping {
    let mapping = NSPropertyMapping()
    mapping.name = name
    mapping.valueExpression = expression
    return mapping
  }

  private func attributes(
    of entity: PlainModel.Entity, from former: PlainModel.Entity
  ) -> [NSPropertyMapping] {
    let formerKeys = old.chain(former).map(PlainModel.keyName)
    let keys = new.chain(entity).map(PlainModel.keyName).map { key in
      property(
        key, formerKeys.contains(key) ? CoreData.NSExpression(format: "$source.\(key)") : nil)
    }
    return keys
      + new.attributes(of: entity).map { attribute in
        let source = old.attributes(of: former).first { $0.origin == attribute.origin }
        return property(attribute.name, source.map { expression($0, attribute) })
      }
  }

  /// What has become mandatory gets its default where there is nothing.
  private func expression(
    _ source: PlainModel.Attribute, _ attribute: PlainModel.Attribute
  ) -> CoreData.NSExpression {
    let value = CoreData.NSExpression(format: "$source.\(source.name)")
    guard source.isOptional, !attribute.isOptional else { return value }
    return CoreData.NSExpression(
      forConditional: NSPredicate(format: "$source.\(source.name) == nil"),
      trueExpression: CoreData.NSExpression(
        forConstantValue: PlainModel.defaultValue(attribute.type)),
      falseExpression: value)
  }

  private func relationships(
    of entity: PlainModel.Entity, from former: PlainModel.Entity
  ) -> [NSPropertyMapping] {
    new.relationships(of: entity).map { relationship in
      let source = old.relationships(of: former).first { $0.origin == relationship.origin }
      return property(
        relationship.name,
        source.map {
          CoreData.NSExpression(
            format: "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:"
              + "sourceInstances:\", \"\($0.name)\", $source.\($0.name))")
        })
    }
  }
}
