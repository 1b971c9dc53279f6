/// The superclass of the results of requests.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstoreresult
open class NSPersistentStoreResult: NSObject {
  /// Makes an empty result.
  public override init() {}
}
