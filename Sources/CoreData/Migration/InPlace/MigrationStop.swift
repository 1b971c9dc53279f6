/// A version of the model to which a store is led in SQL, with the layouts of the store's entities in it.
package struct MigrationStop {
  package let match: ModelMatch
  package let layouts: [EntityLayout]
  /// Whether entities that it lacks have to be without objects.
  package var keepsEntities = false
}
