/// The keys in exported files that are not names of the model. They begin with a dollar sign, which
/// names in a model cannot contain: many models have an attribute `id`.
enum ExchangeName {
  /// The entity of an object.
  static let entity = "$entity"
  /// The identifier of an object, by which others refer to it: `Book/p7`.
  static let id = "$id"
  /// Attributes whose external data files are missing.
  static let missing = "$missing"
  /// In SQL: a member of a to-many relationship, and its position.
  static let member = "$member"
  static let position = "$position"

  /// The names of the first two in files of earlier versions.
  static let formerEntity = "entity"
  static let formerID = "id"
}
