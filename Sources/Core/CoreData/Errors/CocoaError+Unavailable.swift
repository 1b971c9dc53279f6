extension CocoaError {
  /// The former name of the code of failed validations.
  @available(*, unavailable, renamed: "managedObjectValidation")
  public static var ManagedObjectValidationError: CocoaError.Code { .managedObjectValidation }
}
