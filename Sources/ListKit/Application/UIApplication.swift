import Foundation

/// The process: it has the scenes, and tells its delegate when it starts and ends.
///
/// Source: UIKit, `UIApplication`. There is no `UIApplicationMain`: a program makes its delegate
/// itself and starts a renderer, which calls what follows.
@MainActor
open class UIApplication: UIResponder {
  public enum State: Int, Sendable {
    case active, inactive, background
  }

  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  public static let shared = UIApplication()

  /// Kept: nothing else may hold it.
  open var delegate: (any UIApplicationDelegate)?
  public private(set) var connectedScenes: Set<UIScene> = []
  private var isRunning = false

  /// What everything waits for, such as another program, in words that all windows show; nil for nothing.
  ///
  /// Not in UIKit. On its platforms write a property of this name that shows the words in your own way.
  public var waitingText: String? {
    didSet {
      guard waitingText != oldValue else { return }
      for case let scene as UIWindowScene in connectedScenes {
        for window in scene.windows { window.record(.waiting(waitingText)) }
      }
    }
  }

  /// Active while the user sees one of the scenes.
  open var applicationState: State {
    let states = connectedScenes.map(\.activationState)
    if states.contains(.foregroundActive) { return .active }
    return states.contains(.foregroundInactive) ? .inactive : .background
  }

  // MARK: What renderers call

  /// The renderer starts. False when the delegate says that something went wrong.
  @discardableResult
  package func launch() -> Bool {
    guard !isRunning else { return true }
    isRunning = true
    let mayLaunch = delegate?.application(self, willFinishLaunchingWithOptions: nil) ?? true
    return (delegate?.application(self, didFinishLaunchingWithOptions: nil) ?? true) && mayLaunch
  }

  /// The renderer ends; all scenes have been disconnected.
  package func terminate() {
    guard isRunning else { return }
    isRunning = false
    delegate?.applicationWillTerminate(self)
  }

  func connect(_ scene: UIScene) {
    guard connectedScenes.insert(scene).inserted else { return }
    scene.delegate?.scene(scene, willConnectTo: UISceneSession(scene), options: .init())
  }

  func disconnect(_ scene: UIScene) {
    guard connectedScenes.remove(scene) != nil else { return }
    delegate?.application(self, didDiscardSceneSessions: [UISceneSession(scene)])
  }
}

/// Told when the process starts and ends; every method has a default.
///
/// Source: UIKit, `UIApplicationDelegate`. With scenes, UIKit calls none of the methods about
/// becoming active and going to the background: scenes' delegates have those.
@MainActor
public protocol UIApplicationDelegate: AnyObject {
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
  func applicationWillTerminate(_ application: UIApplication)
}

extension UIApplicationDelegate {
  public func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
  ) {}
  public func applicationWillTerminate(_ application: UIApplication) {}
}

/// What is known of a scene while it lasts.
///
/// Source: UIKit, `UISceneSession`.
@MainActor
public final class UISceneSession: NSObject {
  public private(set) weak var scene: UIScene?
  init(_ scene: UIScene) { self.scene = scene }
}

extension UIScene {
  /// Why a scene was connected. Nothing is known of that here.
  ///
  /// Source: UIKit, `UIScene.ConnectionOptions`.
  public struct ConnectionOptions: Sendable {}
}
