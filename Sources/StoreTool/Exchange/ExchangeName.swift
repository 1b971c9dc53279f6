/// The command's own names in what it exports, beside those of the model. No name of a model has a dollar sign, so that
/// none of them meets one of these: models often have an attribute `id`.
enum ExchangeName {
  /// The entity of an object.
  static let entity = "$entity"
  /// What an object is called by others: `Book/p7`.
  static let id = "$id"
  /// Attributes whose values are in files that are not where the store says they are.
  static let missing = "$missing"
  /// In SQL: a member of a relationship to many, and its place.
  static let member = "$member"
  static let position = "$position"

  /// How files that were written before call the first two.
  static let formerEntity = "entity"
  static let formerID = "id"
}
