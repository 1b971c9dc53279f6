import CoreData
import ListApplication

/// Something to be done.
#if canImport(ObjectiveC)
  @objc(Todo)
#endif
public class Todo: NSManagedObject {
  @NSManaged public var title: String
  @NSManaged public var completed: Bool
  /// Todos stand in the order in which they were added.
  @NSManaged public var order: Int64

  public class func fetchRequest() -> NSFetchRequest<Todo> {
    NSFetchRequest<Todo>(entityName: "Todo")
  }

  /// A new todo behind all others.
  @discardableResult
  public static func insert(title: String, in context: NSManagedObjectContext) throws -> Todo {
    let last = fetchRequest()
    last.sortDescriptors = [NSSortDescriptor(key: "order", ascending: false)]
    last.fetchLimit = 1
    let order = try context.fetch(last).first.map { $0.order + 1 } ?? 0
    let todo = Todo(context: context)
    todo.title = title
    todo.order = order
    return todo
  }

  /// Gives all todos an order of their own if some have the same, as two that were added at once; says
  /// that it was so.
  static func numberAnew(in context: NSManagedObjectContext) throws -> [String] {
    let request = fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
    guard try context.hasEqualValues(["order"], of: request) else { return [] }
    for (place, todo) in try context.fetch(request).enumerated() where todo.order != place {
      todo.order = Int64(place)
    }
    try context.save()
    return ["Some todos had the same place: all stand one after the other now."]
  }
}
