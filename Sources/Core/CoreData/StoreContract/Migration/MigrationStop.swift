/// A version of the model on the route of a migration in SQL, with the layouts of the store's
/// entities in that version.
package struct MigrationStop {
  package let match: ModelMatch
  package let layouts: [EntityLayout]
  /// Whether the migration fails if entities that the version lacks have objects.
  package var keepsEntities = false
}
