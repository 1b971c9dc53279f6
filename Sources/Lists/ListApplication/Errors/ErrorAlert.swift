import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// An alert about a failure and its reason; validation errors have a line for each property.
@MainActor
package struct ErrorAlert {
  private let title: String
  private let error: any Error

  package init(_ title: String, _ error: any Error) {
    self.title = title
    self.error = error
  }

  package func present(on controller: UIViewController) {
    let alert = UIAlertController(
      title: title, message: words(for: error), preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    controller.present(alert, animated: true)
  }
}
