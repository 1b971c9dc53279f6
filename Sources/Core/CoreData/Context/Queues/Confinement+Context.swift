extension Confinement {
  /// The context; nil once its deinitialisation has begun.
  var context: NSManagedObjectContext? { owner as? NSManagedObjectContext }
}

extension EnteredContexts {
  /// The context that was entered last.
  static var current: NSManagedObjectContext? { last?.context }
}
