import CoreData
import UIKit

@objc enum BookKind: Int16 {
  case novel, atlas
}

@objc(LibraryBook)
public final class Book: NSManagedObject {
  @NSManaged public var title: String?
  @NSManaged public var pages: Int16
  @NSManaged var kind: BookKind

  @objc private(set) var notes: [String] = []

  @objc var shownTitle: String {
    get { (title ?? "").uppercased() }
    set { title = newValue.lowercased() }
  }

  @objc private override init(
    entity: NSEntityDescription, insertInto context: NSManagedObjectContext?
  ) {
    super.init(entity: entity, insertInto: context)
  }

  func follow(_ context: NSManagedObjectContext) {
    NotificationCenter.default.addObserver(
      self, selector: #selector(contextDidSave(_:)), name: .NSManagedObjectContextDidSave,
      object: context)
  }

  @objc private func contextDidSave(_ notification: Notification) {
    let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
    notes.append("inserted \(inserted?.count ?? 0)")
  }

  @objc func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard let title = value.pointee as? String else { return }
    if title.isEmpty { throw BookError.untitled }
    value.pointee = title.trimmingCharacters(in: .whitespaces) as NSString
  }

  static func sorted() -> NSFetchRequest<Book> {
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Book.title), ascending: true)]
    return request
  }

  static func deleteAll(in context: NSManagedObjectContext) throws {
    let request = sorted() as! NSFetchRequest<NSFetchRequestResult>
    try context.execute(NSBatchDeleteRequest(fetchRequest: request))
  }
}

@objc enum BookError: Int, Error {
  case untitled = 7
}

extension Book {
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    pages = 1
  }
}
