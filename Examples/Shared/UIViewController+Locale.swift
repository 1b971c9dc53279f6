import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension UIViewController {
  /// The language and region of the window's reader.
  package var locale: Locale { viewIfLoaded?.window?.windowScene?.locale ?? .current }
}
