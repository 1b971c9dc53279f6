import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension UIViewController {
  /// The language and region of the window's reader. A controller that is covered, or not shown
  /// yet, has the window of the one that contains or presents it.
  package var locale: Locale {
    var next: UIViewController? = self
    while let controller = next {
      if let scene = controller.viewIfLoaded?.window?.windowScene { return scene.locale }
      next = controller.parent ?? controller.presentingViewController
    }
    return .current
  }
}
