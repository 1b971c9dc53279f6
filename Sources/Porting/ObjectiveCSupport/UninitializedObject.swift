import CoreData

/// Replaces `Item()` for a managed object class: an object outside of any context, and the error
/// message that Apple's systems print.
public func uninitialized<Object: NSManagedObject>(_ type: Object.Type) -> Object {
  let message =
    "CoreData: error: Failed to call designated initializer on NSManagedObject class '\(type)'\n"
  FileHandle.standardError.write(Data(message.utf8))
  return Object(entity: type.entity(), insertInto: nil)
}
