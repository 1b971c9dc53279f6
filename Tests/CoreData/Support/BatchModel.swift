import CoreData

/// Shops with goods, for batch requests: a unique code, a subentity, and every delete rule.
///
///     Shop ─goods (cascade)→ Good ─labels (many-to-many)→ Label
///     Shop ─owner (nullify)→ Owner   Shop ─licences (deny)→ Licence   Shop ─keys (nullify)→ Key.shop!
enum BatchModel {
  static func make() -> NSManagedObjectModel {
    typealias Make = NestedModel
    func entity(_ name: String) -> NSEntityDescription {
      let entity = NSEntityDescription()
      entity.name = name
      return entity
    }
    let (shop, good, toy, label) = (entity("Shop"), entity("Good"), entity("Toy"), entity("Label"))
    let (owner, licence, key) = (entity("Owner"), entity("Licence"), entity("Key"))
    good.subentities = [toy]
    let (goods, goodShop) = Make.relate(shop, "goods", 0, good, "shop", 1)
    goods.deleteRule = .cascadeDeleteRule
    let (labels, labelGoods) = Make.relate(good, "labels", 0, label, "goods", 0)
    let (shopOwner, ownerShops) = Make.relate(shop, "owner", 1, owner, "shops", 0)
    let (licences, licenceShop) = Make.relate(shop, "licences", 0, licence, "shop", 1)
    licences.deleteRule = .denyDeleteRule
    let (keys, keyShop) = Make.relate(shop, "keys", 0, key, "shop", 1)
    keyShop.isOptional = false
    shop.properties = [
      Make.attribute("name", .stringAttributeType), goods, shopOwner, licences, keys,
    ]
    good.properties = [
      Make.attribute("code", .stringAttributeType, isOptional: false),
      Make.attribute("title", .stringAttributeType),
      Make.attribute("count", .integer64AttributeType, default: 1),
      Make.attribute("price", .doubleAttributeType), Make.attribute("since", .dateAttributeType),
      goodShop, labels,
    ]
    good.uniquenessConstraints = [["code"]]
    toy.properties = [Make.attribute("age", .integer64AttributeType)]
    label.properties = [Make.attribute("name", .stringAttributeType), labelGoods]
    owner.properties = [Make.attribute("name", .stringAttributeType), ownerShops]
    licence.properties = [Make.attribute("name", .stringAttributeType), licenceShop]
    key.properties = [Make.attribute("name", .stringAttributeType), keyShop]
    let model = NSManagedObjectModel()
    model.entities = [shop, good, toy, label, owner, licence, key]
    return model
  }

  static func makeStack() throws -> TestStack { try TestStack(.sqlite, model: make()) }
}

extension NSManagedObjectContext {
  func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// The goods as `code:count`, in order.
  func goods(_ format: String? = nil) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Good")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try fetch(request).map {
      "\($0.value(forKey: "code") as? String ?? ""):\($0.value(forKey: "count") as? Int ?? -1)"
    }
  }

  func number(of entity: String) throws -> Int {
    try count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  @discardableResult
  func insertGoods(_ rows: [[String: Any]]) throws -> [NSManagedObjectID] {
    let request = NSBatchInsertRequest(entityName: "Good", objects: rows)
    request.resultType = .objectIDs
    let result = try execute(request) as? NSBatchInsertResult
    return result?.result as? [NSManagedObjectID] ?? []
  }
}
