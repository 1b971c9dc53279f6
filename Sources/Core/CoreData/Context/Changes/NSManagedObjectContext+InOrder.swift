// The objects that a save is about to write, in the order of their edits. Making a set of a hundred
// thousand objects takes time, and freeing objects in a set's order touches memory at random.
extension NSManagedObjectContext {
  package final var insertedInOrder: [NSManagedObject] { inserted.objects }
  package final var updatedInOrder: [NSManagedObject] { updated.objects }
  package final var deletedInOrder: [NSManagedObject] { deleted.objects }
  /// The number of objects in all three arrays.
  package final var editedCount: Int { inserted.count + updated.count + deleted.count }
}
