/// Provides `NSError.init()`: an extension of the class itself could not override the initialiser
/// that it inherits.
public protocol EmptyError {}

extension NSError: EmptyError {}

extension EmptyError where Self: NSError {
  /// Creates an error with an empty domain and code 0.
  public init() { self = NSError(domain: "", code: 0) as! Self }
}
