/// Gives `NSError` the initialiser without parameters, which an extension of the class itself could not override.
public protocol EmptyError {}

extension NSError: EmptyError {}

extension EmptyError where Self: NSError {
  /// An error of no domain and the code 0.
  public init() { self = NSError(domain: "", code: 0) as! Self }
}
