import CoreData

/// The filters of the list, each with its address.
enum TodoFilter: String, CaseIterable {
  case all, active, completed

  var title: String { rawValue.capitalized }

  /// The fragment of the address, as the specification of TodoMVC defines it.
  var address: String { self == .all ? "#/" : "#/\(rawValue)" }

  var predicate: NSPredicate? {
    switch self {
    case .all: nil
    case .active: NSPredicate(format: "completed == NO")
    case .completed: NSPredicate(format: "completed == YES")
    }
  }

  var request: NSFetchRequest<Todo> {
    let request = Todo.fetchRequest()
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
    return request
  }
}
