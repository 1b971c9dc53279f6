import CoreData

/// Does nothing of its own, and has all objects made.
final class PlainPolicy: NSEntityMigrationPolicy {}
