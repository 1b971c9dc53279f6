import CoreData
import Foundation

/// What applications write once and use for all of their classes.
protocol Managed where Self: NSManagedObject {
  static var defaultSortDescriptors: [NSSortDescriptor] { get }
}

protocol Named: NSManagedObject {
  var name: String? { get set }
}

extension Managed {
  static func findOrCreate(
    in context: NSManagedObjectContext, matching predicate: NSPredicate,
    configure: (Self) -> Void = { _ in }
  ) -> Self {
    let request = NSFetchRequest<Self>(entityName: entity().name ?? "")
    request.predicate = predicate
    request.sortDescriptors = defaultSortDescriptors
    if let found = try? context.fetch(request).first { return found }
    let object = Self(context: context)
    configure(object)
    return object
  }
}

extension Named {
  init(context: NSManagedObjectContext, name: String) {
    self.init(context: context)
    self.name = name
  }
}

extension NSManagedObject {
  static func insert(into context: NSManagedObjectContext) -> Self {
    .init(entity: entity(), insertInto: context)
  }
}

extension NSManagedObjectContext {
  func create<T: NSManagedObject>(_ type: T.Type = T.self) -> T { T(context: self) }

  func make<T: NSManagedObject>() -> T { T(entity: T.entity(), insertInto: self) }
}

extension Author: Named {}

extension Book: Managed {
  static var defaultSortDescriptors: [NSSortDescriptor] {
    [NSSortDescriptor(keyPath: \Book.title, ascending: true)]
  }
}
