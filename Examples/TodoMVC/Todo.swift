import CoreData
import ListApplication

/// A task of the list.
#if canImport(ObjectiveC)
  @objc(Todo)
#endif
public class Todo: NSManagedObject {
  /// The text of the todo.
  @NSManaged public var title: String
  /// Whether the todo is done.
  @NSManaged public var completed: Bool
  /// The position in the list; new todos have the greatest.
  @NSManaged public var order: Int64

  /// A request for all todos.
  public class func fetchRequest() -> NSFetchRequest<Todo> {
    NSFetchRequest<Todo>(entityName: "Todo")
  }

  /// Inserts a todo at the end of the list.
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

  /// Renumbers all todos if several have the same position, as after concurrent insertions. Returns
  /// a message for the user if so.
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
