import CoreData
import UIKit

/// Managed object classes in bodies, of which nothing outside knows.
enum Local {
  /// What an object of such a class keeps: through its properties and by its keys.
  static func values() throws -> [String] {
    class Plant: NSManagedObject {
      @NSManaged var name: String
      @NSManaged var height: Int32
      @NSManaged var seen: Date?
      @NSManaged var parent: Plant?
    }
    final class Tree: Plant { @NSManaged public var rings: Int64 }

    let context = try context(Plant.self, Tree.self)
    let tree = NSEntityDescription.insertNewObject(forEntityName: "Tree", into: context) as! Tree
    (tree.name, tree.height, tree.rings, tree.seen, tree.parent) = ("Oak", 12, 80, nil, tree)
    try context.save()
    let request = NSFetchRequest<Tree>(entityName: "Tree")
    request.predicate = NSPredicate(format: "height > 10")
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Tree.name, ascending: true)]
    context.reset()
    return try context.fetch(request).map {
      "\($0.name) \($0.height) \($0.rings) \($0.seen == nil) \($0.parent === $0) \($0.value(forKey: "name")!)"
    }
  }

  private static func context(
    _ plant: NSManagedObject.Type, _ tree: NSManagedObject.Type
  ) throws -> NSManagedObjectContext {
    func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, type)
      attribute.isOptional = true
      return attribute
    }
    let (plants, trees) = (NSEntityDescription(), NSEntityDescription())
    (plants.name, plants.managedObjectClassName) = ("Plant", NSStringFromClass(plant))
    (trees.name, trees.managedObjectClassName) = ("Tree", NSStringFromClass(tree))
    let parent = NSRelationshipDescription()
    (parent.name, parent.destinationEntity, parent.maxCount) = ("parent", plants, 1)
    parent.isOptional = true
    plants.properties = [
      attribute("name", .stringAttributeType), attribute("height", .integer32AttributeType),
      attribute("seen", .dateAttributeType), parent,
    ]
    trees.properties = [attribute("rings", .integer64AttributeType)]
    plants.subentities = [trees]
    let model = NSManagedObjectModel()
    model.entities = [plants, trees]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}
