import Foundation
import Testing

@testable import ListKit

/// The process and its scenes, in the order in which their delegates hear of them.
@MainActor
@Suite(.serialized) struct ApplicationLifeCycleTests {
  private final class Log: UIApplicationDelegate, UISceneDelegate {
    var lines: [String] = []

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      lines.append("launched")
      return true
    }
    func applicationWillTerminate(_ application: UIApplication) { lines.append("terminates") }
    func application(
      _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
    ) { lines.append("discarded") }
    func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) { lines.append("connects") }
    func sceneWillEnterForeground(_ scene: UIScene) { lines.append("foreground") }
    func sceneDidBecomeActive(_ scene: UIScene) { lines.append("active") }
    func sceneDidEnterBackground(_ scene: UIScene) { lines.append("background") }
    func sceneDidDisconnect(_ scene: UIScene) { lines.append("disconnected") }
  }

  @Test func delegatesHearOfTheProcessAndItsScenesInOrder() {
    let application = UIApplication()
    let log = Log()
    application.delegate = log
    #expect(application.launch())
    application.launch()
    application.terminate()
    application.terminate()
    #expect(log.lines == ["launched", "terminates"])
  }

  @Test func aSceneConnectsOnceAndIsDiscardedAtItsEnd() {
    let log = Log()
    let scene = UIWindowScene()
    scene.delegate = log
    scene.enterForeground()
    scene.enterBackground()
    scene.enterForeground()
    #expect(UIApplication.shared.connectedScenes.contains(scene))
    #expect(UIApplication.shared.applicationState == .active)
    scene.disconnect()
    #expect(!UIApplication.shared.connectedScenes.contains(scene))
    #expect(
      log.lines == [
        "connects", "foreground", "active", "background", "foreground", "active", "background",
        "disconnected",
      ])
  }
}
