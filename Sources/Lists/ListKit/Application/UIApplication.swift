import Foundation

/// The process: its connected scenes, and a delegate that hears of the start and the end.
///
/// Source: UIKit, `UIApplication`. There is no `UIApplicationMain`: a program makes its delegate
/// itself and starts a renderer, which calls the methods for renderers below.
@MainActor
open class UIApplication: UIResponder {
  /// Whether the user sees one of the scenes: focused, visible without focus, or none.
  public enum State: Int, Sendable {
    case active, inactive, background
  }

  /// A key of the launch options. No options exist here: the dictionary is always `nil`.
  ///
  /// Source: UIKit, `UIApplication.LaunchOptionsKey`.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The key's name.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The only application of the process.
  public static let shared = UIApplication()

  /// The application's delegate. Retained, unlike UIKit's: nothing else may hold it.
  open var delegate: (any UIApplicationDelegate)?
  /// The scenes that a renderer has connected, one for each window or browser page.
  public private(set) var connectedScenes: Set<UIScene> = []
  private var isRunning = false

  /// A text about work that every window waits for, such as another program's lock; `nil` for none.
  /// All windows show it.
  ///
  /// Not in UIKit. On Apple's platforms write a property of this name that shows the text in your
  /// own way.
  public var waitingText: String? {
    didSet {
      guard waitingText != oldValue else { return }
      for case let scene as UIWindowScene in connectedScenes {
        for window in scene.windows { window.record(.waiting(waitingText)) }
      }
    }
  }

  /// `.active` or `.inactive` while a scene is in the foreground, else `.background`.
  open var applicationState: State {
    let states = connectedScenes.map(\.activationState)
    if states.contains(.foregroundActive) { return .active }
    return states.contains(.foregroundInactive) ? .inactive : .background
  }

  // MARK: For renderers

  /// Starts the application. Returns false when the delegate reports a failed launch.
  @discardableResult
  package func launch() -> Bool {
    guard !isRunning else { return true }
    isRunning = true
    let mayLaunch = delegate?.application(self, willFinishLaunchingWithOptions: nil) ?? true
    return (delegate?.application(self, didFinishLaunchingWithOptions: nil) ?? true) && mayLaunch
  }

  /// Ends the application, once. The renderer has disconnected all scenes before.
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

/// Hears of the start and the end of the process. Every method has a default.
///
/// Source: UIKit, `UIApplicationDelegate`. As in UIKit with scenes, the methods about becoming
/// active and entering the background are never called: the scenes' delegates have their own.
@MainActor
public protocol UIApplicationDelegate: AnyObject {
  /// Called first when the renderer starts. Return false to report a failed launch.
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// Called when the application is ready, before the first scene connects. Return false to report
  /// a failed launch.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// Called when a scene has been disconnected.
  func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
  /// Called when the renderer ends, after all scenes have been disconnected.
  func applicationWillTerminate(_ application: UIApplication)
}

extension UIApplicationDelegate {
  /// Returns true.
  public func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  /// Returns true.
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  /// Does nothing.
  public func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
  ) {}
  /// Does nothing.
  public func applicationWillTerminate(_ application: UIApplication) {}
}

/// A scene as `UIApplicationDelegate` sees it.
///
/// Source: UIKit, `UISceneSession`.
@MainActor
public final class UISceneSession: NSObject {
  /// The scene of this session, as long as it is alive.
  public private(set) weak var scene: UIScene?
  init(_ scene: UIScene) { self.scene = scene }
}

extension UIScene {
  /// The reason for which a scene was connected. It has no members: nothing is known of it here.
  ///
  /// Source: UIKit, `UIScene.ConnectionOptions`.
  public struct ConnectionOptions: Sendable {}
}
