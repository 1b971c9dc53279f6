/// The user info of Core Data's errors.
extension CocoaError {
  /// The invalid object.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
  /// The name of the invalid property.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
  /// The predicate that the value fails to match.
  public var validationPredicate: NSPredicate? {
    userInfo[NSValidationPredicateErrorKey] as? NSPredicate
  }
  /// The invalid value.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
  /// The stores that the error concerns.
  public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
  /// The objects that the error concerns.
  public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }
  /// The conflicts that prevented a save.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
  }
}
