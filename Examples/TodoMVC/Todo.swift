import CoreData

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
}
