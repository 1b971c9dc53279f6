import CoreData
import CoreDataSupport

/// Shops with goods, for batch requests: a unique code, a subentity, and every delete rule.
///
///     Shop ─goods (cascade)→ Good ─labels (many-to-many)→ Label
///     Shop ─owner (nullify)→ Owner   Shop ─licences (deny)→ Licence   Shop ─keys (nullify)→ Key.shop!
enum BatchModel {
  static func make() -> NSManagedObjectModel {
    let (shop, good, toy, label) = (
      ModelPart.entity("Shop"), ModelPart.entity("Good"), ModelPart.entity("Toy"),
      ModelPart.entity("Label")
    )
    let (owner, licence, key) = (
      ModelPart.entity("Owner"), ModelPart.entity("Licence"), ModelPart.entity("Key")
    )
    good.subentities = [toy]
    let (goods, goodShop) = ModelPart.relate(shop, "goods", 0, good, "shop", 1)
    goods.deleteRule = .cascadeDeleteRule
    let (labels, labelGoods) = ModelPart.relate(good, "labels", 0, label, "goods", 0)
    let (shopOwner, ownerShops) = ModelPart.relate(shop, "owner", 1, owner, "shops", 0)
    let (licences, licenceShop) = ModelPart.relate(shop, "licences", 0, licence, "shop", 1)
    licences.deleteRule = .denyDeleteRule
    let (keys, keyShop) = ModelPart.relate(shop, "keys", 0, key, "shop", 1)
    keyShop.isOptional = false
    shop.properties = [
      ModelPart.attribute("name"), goods, shopOwner, licences, keys,
    ]
    good.properties = [
      ModelPart.attribute("code", isOptional: false),
      ModelPart.attribute("title"),
      ModelPart.attribute("count", .integer64AttributeType, default: 1),
      ModelPart.attribute("price", .doubleAttributeType),
      ModelPart.attribute("since", .dateAttributeType),
      goodShop, labels,
    ]
    good.uniquenessConstraints = [["code"]]
    toy.properties = [ModelPart.attribute("age", .integer64AttributeType)]
    label.properties = [ModelPart.attribute("name"), labelGoods]
    owner.properties = [ModelPart.attribute("name"), ownerShops]
    licence.properties = [ModelPart.attribute("name"), licenceShop]
    key.properties = [ModelPart.attribute("name"), keyShop]
    return ModelPart.model([shop, good, toy, label, owner, licence, key])
  }

  static func makeStack() throws -> TestStack { try TestStack(.sqlite, model: make()) }
}

extension NSManagedObjectContext {
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
