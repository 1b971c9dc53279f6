import Foundation

/// One running instance of the user interface: one browser window with its state.
///
/// Source: UIKit, `UIScene`, `UIWindowScene`.
@MainActor
open class UIScene: NSObject {
  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive
    case foregroundInactive
    case background
  }

  public var delegate: (any UISceneDelegate)?
  public package(set) var activationState: ActivationState = .unattached
  open var title: String?

  /// What the user's last deed has left to be done, such as a save that waits: the deed counts as done, and the next
  /// one is taken, when it has ended.
  ///
  /// Not in UIKit, where nobody waits for an answer. On its platforms write a property of this name.
  public var pendingWork: Task<Void, Never>?

  public override init() { super.init() }

  /// Returns when nothing is left to be done.
  package func finishPendingWork() async {
    while let work = pendingWork {
      await work.value
      if pendingWork == work { pendingWork = nil }
    }
  }
}

open class UIWindowScene: UIScene {
  public package(set) var windows: [UIWindow] = []

  /// The page is shown (again).
  package func enterForeground() {
    guard activationState != .foregroundActive else { return }
    UIApplication.shared.connect(self)
    delegate?.sceneWillEnterForeground(self)
    activationState = .foregroundActive
    delegate?.sceneDidBecomeActive(self)
  }

  /// The page is hidden, its connection is lost or the process stops: time to save.
  package func enterBackground() {
    guard activationState == .foregroundActive else { return }
    delegate?.sceneWillResignActive(self)
    activationState = .background
    delegate?.sceneDidEnterBackground(self)
  }

  /// The window is gone for good.
  package func disconnect() {
    enterBackground()
    guard activationState != .unattached else { return }
    activationState = .unattached
    delegate?.sceneDidDisconnect(self)
    UIApplication.shared.disconnect(self)
  }
}

/// Told when a window comes, hides and goes; every method has a default that does nothing.
///
/// `sceneDidEnterBackground` is the place to save: it is called when the page is hidden, when the
/// connection is lost and when the process is asked to stop.
///
/// Source: UIKit, `UISceneDelegate`, `UIWindowSceneDelegate`.
@MainActor
public protocol UISceneDelegate: AnyObject {
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions)
  func sceneWillEnterForeground(_ scene: UIScene)
  func sceneDidBecomeActive(_ scene: UIScene)
  func sceneWillResignActive(_ scene: UIScene)
  func sceneDidEnterBackground(_ scene: UIScene)
  func sceneDidDisconnect(_ scene: UIScene)
}

extension UISceneDelegate {
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {}
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  public func sceneWillResignActive(_ scene: UIScene) {}
  public func sceneDidEnterBackground(_ scene: UIScene) {}
  public func sceneDidDisconnect(_ scene: UIScene) {}
}

@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
  var window: UIWindow? { get set }
}
