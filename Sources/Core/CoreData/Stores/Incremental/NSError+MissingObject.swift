extension NSError {
  var isOfMissingObject: Bool {
    domain == NSCocoaErrorDomain && code == NSManagedObjectReferentialIntegrityError
  }
}
