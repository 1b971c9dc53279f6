import CoreData

/// What `Item()` makes of a managed object's class on Apple's systems: an object that no context has, and a message that
/// this is a mistake.
public func uninitialized<Object: NSManagedObject>(_ type: Object.Type) -> Object {
  let message =
    "CoreData: error: Failed to call designated initializer on NSManagedObject class '\(type)'\n"
  FileHandle.standardError.write(Data(message.utf8))
  return Object(entity: type.entity(), insertInto: nil)
}
