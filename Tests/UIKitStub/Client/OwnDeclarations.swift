// What ListKit has and UIKit has not: the comments there ask clients to write it themselves on Apple's
// platforms.
import UIKit

extension UIViewController {
  public func showToast(_ message: String, action: UIAction? = nil) {}
  public func showActivity(_ isWorking: Bool) {}
}

extension UICollectionViewCell {
  public var choosingAdds: Int {
    get { 0 }
    set {}
  }
}
