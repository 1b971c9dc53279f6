/// The superclass of the results of requests.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstoreresult
open class NSPersistentStoreResult: NSObject {
  public override init() {}
}
