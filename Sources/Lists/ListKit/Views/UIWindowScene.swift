import Foundation

/// An instance of the user interface: one browser window or terminal, with its state.
///
/// Source: UIKit, `UIScene`.
@MainActor
open class UIScene: NSObject {
  /// The visibility of the scene.
  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive
    case foregroundInactive
    case background
  }

  /// Hears of the scene's state. Retained.
  public var delegate: (any UISceneDelegate)?
  /// The visibility of the scene. Renderers set it.
  public package(set) var activationState: ActivationState = .unattached
  /// A title for the scene. Stored and not used.
  open var title: String?

  /// The reader's language and region, in which dates and numbers are written. Renderers set it: a
  /// page that of the browser, a terminal that of its environment.
  ///
  /// Not in UIKit, where a process has one reader. On Apple's platforms write a property of this
  /// name that is `Locale.current`.
  public package(set) var locale = Locale.current

  /// Remaining work of the last user event, such as a save that waits for a lock. The event counts
  /// as done, and the next one begins, when this task has ended.
  ///
  /// Not in UIKit, where events do not wait. On Apple's platforms write a property of this name.
  public var pendingWork: Task<Void, Never>?
  /// Follows what others change, where that is done at a pace of its own; nil for a scene that
  /// follows by itself.
  package weak var following: (any SceneFollowing)?

  /// Makes a scene that is not connected.
  public override init() { super.init() }

  /// Returns when `pendingWork` has ended, and any that replaced it meanwhile.
  package func finishPendingWork() async {
    while let work = pendingWork {
      await work.value
      if pendingWork == work { pendingWork = nil }
    }
  }
}

/// A scene with windows.
///
/// Source: UIKit, `UIWindowScene`.
open class UIWindowScene: UIScene {
  /// The scene's windows, in the order in which they were made.
  public package(set) var windows: [UIWindow] = []
  /// Whether the scene is wide enough for columns beside each other; see `setWide(_:)`.
  package internal(set) var isWide = false

  /// Called by the renderer when its page is shown, also again. Connects the scene the first time.
  package func enterForeground() {
    guard activationState != .foregroundActive else { return }
    UIApplication.shared.connect(self)
    delegate?.sceneWillEnterForeground(self)
    activationState = .foregroundActive
    delegate?.sceneDidBecomeActive(self)
  }

  /// Called by the renderer when its page is hidden, its connection is lost or the process stops.
  package func enterBackground() {
    guard activationState == .foregroundActive else { return }
    delegate?.sceneWillResignActive(self)
    activationState = .background
    delegate?.sceneDidEnterBackground(self)
  }

  /// Called by the renderer when its window is closed for good.
  package func disconnect() {
    enterBackground()
    guard activationState != .unattached else { return }
    activationState = .unattached
    delegate?.sceneDidDisconnect(self)
    UIApplication.shared.disconnect(self)
  }
}

/// Hears when a window appears, is hidden and closes. Every method has a default that does nothing.
///
/// `sceneDidEnterBackground` is the right method to save in: it is called when the page is hidden,
/// when the connection is lost and when the process is asked to stop.
///
/// Source: UIKit, `UISceneDelegate`.
@MainActor
public protocol UISceneDelegate: AnyObject {
  /// Called once, when the scene is connected: make its window here.
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions)
  /// Called before the scene becomes visible.
  func sceneWillEnterForeground(_ scene: UIScene)
  /// Called when the scene has become visible.
  func sceneDidBecomeActive(_ scene: UIScene)
  /// Called before the scene is hidden.
  func sceneWillResignActive(_ scene: UIScene)
  /// Called when the scene is hidden: save here.
  func sceneDidEnterBackground(_ scene: UIScene)
  /// Called when the scene is closed for good.
  func sceneDidDisconnect(_ scene: UIScene)
}

extension UISceneDelegate {
  /// Does nothing.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {}
  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneWillResignActive(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneDidDisconnect(_ scene: UIScene) {}
}

/// A scene delegate that owns the window.
///
/// Source: UIKit, `UIWindowSceneDelegate`.
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
  /// The scene's window, retained by the delegate.
  var window: UIWindow? { get set }
}
