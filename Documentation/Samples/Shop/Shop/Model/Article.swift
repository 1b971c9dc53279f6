import CoreData

@objc(Article)
public final class Article: NSManagedObject {
  @NSManaged public var name: String?
  @NSManaged public var stock: Int64
}
