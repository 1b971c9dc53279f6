import Foundation

// On Apple's systems a class object also responds to the instance methods of its root class.

extension NSObject {
  /// The class itself.
  public class func classForCoder() -> AnyClass { self }
}
