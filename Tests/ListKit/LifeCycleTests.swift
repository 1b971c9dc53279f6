import Foundation
import Testing

@testable import ListKit

@MainActor
private final class Log {
  var lines: [String] = []
}

private final class LoggingController: UIViewController {
  let name: String
  let log: Log

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
    super.init(nibName: nil, bundle: nil)
    title = name
  }

  required init?(coder: NSCoder) { fatalError("init(coder:) is not used") }

  private func note(_ what: String) { log.lines.append("\(name) \(what)") }
  override func viewDidLoad() { note("viewDidLoad") }
  override func viewWillAppear(_ animated: Bool) { note("willAppear") }
  override func viewIsAppearing(_ animated: Bool) { note("isAppearing") }
  override func viewDidAppear(_ animated: Bool) { note("didAppear") }
  override func viewWillDisappear(_ animated: Bool) { note("willDisappear") }
  override func viewDidDisappear(_ animated: Bool) { note("didDisappear") }
}

@MainActor
@Suite struct LifeCycleTests {
  private let log = Log()
  private let window = UIWindow(frame: .zero)

  private func makeStack() -> (navigation: UINavigationController, first: LoggingController) {
    let first = LoggingController("A", log)
    let navigation = UINavigationController(rootViewController: first)
    window.rootViewController = navigation
    window.makeKeyAndVisible()
    return (navigation, first)
  }

  @Test func theRootAppearsWithItsWindow() {
    _ = makeStack()
    #expect(log.lines == ["A viewDidLoad", "A willAppear", "A isAppearing", "A didAppear"])
  }

  @Test func aPushLoadsAndThenExchangesInOrder() {
    let (navigation, _) = makeStack()
    log.lines = []
    navigation.pushViewController(LoggingController("B", log), animated: true)
    #expect(
      log.lines == [
        "B viewDidLoad", "A willDisappear", "B willAppear", "B isAppearing", "A didDisappear",
        "B didAppear",
      ])
  }

  @Test func aPopDoesNotLoadAgain() {
    let (navigation, first) = makeStack()
    navigation.pushViewController(LoggingController("B", log), animated: true)
    log.lines = []
    let popped = navigation.popViewController(animated: true)
    #expect(popped?.title == "B")
    #expect(navigation.topViewController === first)
    #expect(
      log.lines == [
        "B willDisappear", "A willAppear", "A isAppearing", "B didDisappear", "A didAppear",
      ])
    #expect(navigation.popViewController(animated: true) == nil)
  }

  @Test func aFullScreenPresentationMakesThePresenterDisappearLast() {
    let (_, first) = makeStack()
    let sheet = LoggingController("S", log)
    sheet.modalPresentationStyle = .fullScreen
    log.lines = []
    first.present(sheet, animated: true) { [log] in log.lines.append("completion") }
    #expect(
      log.lines == [
        "S viewDidLoad", "A willDisappear", "S willAppear", "S isAppearing", "S didAppear",
        "A didDisappear", "completion",
      ])
    #expect(window.visibleViewController === sheet)
  }

  @Test func aPageSheetLeavesThePresenterAlone() {
    let (_, first) = makeStack()
    let sheet = LoggingController("S", log)
    log.lines = []
    first.present(sheet, animated: true)
    sheet.dismiss(animated: true)
    #expect(!log.lines.contains { $0.hasPrefix("A ") })
    #expect(first.presentedViewController == nil)
    #expect(window.visibleViewController === first)
  }

  @Test func pushingOneControllerTwiceStopsTheProcess() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let controller = UIViewController()
        let navigation = UINavigationController(rootViewController: controller)
        navigation.pushViewController(controller, animated: false)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("Pushing the same view controller instance more than once is not supported"))
  }

  @Test func readingTheViewLoadsItAndAskingWhetherItIsLoadedDoesNot() {
    let controller = LoggingController("A", log)
    #expect(!controller.isViewLoaded && controller.viewIfLoaded == nil)
    _ = controller.view
    #expect(log.lines == ["A viewDidLoad"])
  }

  @Test func anAlertAnswersByItsHandlerAfterItIsGone() {
    let (_, first) = makeStack()
    let alert = UIAlertController(title: "Sure?", message: nil, preferredStyle: .alert)
    var answers: [String] = []
    alert.addTextField { $0.placeholder = "Name" }
    alert.addAction(UIAlertAction(title: "No", style: .cancel) { _ in answers.append("No") })
    let yes = UIAlertAction(title: "Yes", style: .default) { [weak first] _ in
      answers.append(first?.presentedViewController == nil ? "Yes" : "still shown")
    }
    alert.addAction(yes)
    first.present(alert, animated: true)
    #expect(window.visibleAlert === alert)
    #expect(window.visibleViewController === first)
    alert.choose(yes)
    #expect(answers == ["Yes"])
    #expect(window.visibleAlert == nil)
  }

  @Test func theUndoManagerIsFoundUpTheChain() {
    let (_, first) = makeStack()
    #expect(first.undoManager === window.undoManager)
    #expect(first.view.undoManager === window.undoManager)
  }
}
