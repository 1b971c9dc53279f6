import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Says what failed, and why: for values that are not valid, with a line for each property.
@MainActor
package struct ErrorAlert {
  private let title: String
  private let error: NSError

  package init(_ title: String, _ error: any Error) {
    self.title = title
    self.error = error as NSError
  }

  package func present(on controller: UIViewController) {
    let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? [error]
    let lines = details.map { Self.line(($0 as NSError).localizedDescription) }
    let alert = UIAlertController(
      title: title, message: lines.joined(separator: "\n"), preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    controller.present(alert, animated: true)
  }

  /// A description may begin with the name of a property.
  private static func line(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
