// What work goes on behind a window, which ListKit has and UIKit has not.
import Foundation
import UIKit

extension UIScene {
  public var pendingWork: Task<Void, Never>? {
    get { nil }
    set {}
  }
}

extension UIScene {
  public var locale: Locale { .current }
}

extension UIApplication {
  public var waitingText: String? {
    get { nil }
    set {}
  }
}

@MainActor
public protocol ScreenRestoration: UIViewController {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool
}
