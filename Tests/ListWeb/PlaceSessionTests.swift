import Foundation
import ListKit
import Testing

@testable import ListWeb

/// The place of a window, and the ways to it: events in, messages out.
@MainActor
@Suite struct PlaceSessionTests {
  private let root = ListController(Titles(["a", "b"]), title: "Root")
  private let navigation: UINavigationController
  private let session: WindowSession

  init() {
    navigation = UINavigationController(rootViewController: root)
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = navigation
    session = WindowSession(token: "test", scene: scene, window: window)
    _ = session.drawScreen()
    session.flush()
  }

  private func visit(_ place: String) throws -> [String] {
    let before = session.log.last
    var event = WindowEvent(type: "visit")
    event.text = place
    try session.handle(event)
    return (session.log.messages(after: before) ?? []).map(\.text)
  }

  private var last: String { session.log.messages.last?.text ?? "" }

  @Test func aPushAndAPopSayThePlace() {
    navigation.pushViewController(ListController(Titles([]), title: "a b/ü"), animated: true)
    session.flush()
    #expect(last.contains(#"{"how":"push","op":"place","text":"a%20b%2F%C3%BC"}"#))
    navigation.popViewController(animated: true)
    session.flush()
    #expect(last.contains(#"{"how":"pop","op":"place","text":""}"#))
  }

  @Test func whatTheAddressSaysAlreadyIsNotSaidAgain() throws {
    let there = try visit("a").joined()
    #expect(there.contains(#""op":"screen""#) && !there.contains(#""op":"place""#))
    #expect(navigation.viewControllers.map(\.title) == ["Root", "a"])
    let back = try visit("").joined()
    #expect(!back.contains(#""op":"place""#))
    #expect(navigation.viewControllers.count == 1)
  }

  @Test func aPlaceThatIsNotThereLeadsAsFarAsThereIs() throws {
    let sent = try visit("b/gone").joined()
    #expect(navigation.viewControllers.map(\.title) == ["Root", "b"])
    #expect(sent.contains(#"{"how":"replace","op":"place","text":"b"}"#))
  }

  @Test func fromOneBranchToAnother() throws {
    _ = try visit("a")
    let first = navigation.topViewController
    _ = try visit("b")
    #expect(navigation.viewControllers.map(\.title) == ["Root", "b"])
    #expect(navigation.topViewController !== first)
  }

  @Test func aScreenWithoutABackButtonIsNotLeft() throws {
    _ = try visit("a")
    navigation.topViewController?.navigationItem.hidesBackButton = true
    let sent = try visit("").joined()
    #expect(navigation.viewControllers.count == 2)
    #expect(sent.contains(#"{"how":"push","op":"place","text":"a"}"#))
    #expect(sent.contains("This screen is left by its buttons."))
  }

  @Test func aScreenWithoutAnIdentifierIsNoPartOfThePlace() throws {
    _ = try visit("a")
    let nameless = UIViewController()
    navigation.pushViewController(nameless, animated: true)
    session.flush()
    #expect(session.place == Place(["a"]))
    _ = try visit("a")
    #expect(navigation.viewControllers.map(\.title) == ["Root", "a"])
  }

  @Test func aModalSheetIsNotLeftAndAnOtherOneIs() throws {
    let sheet = ListController(Titles([]), title: "sheet")
    root.present(sheet, animated: true)
    session.flush()
    #expect(last.contains(#"{"how":"push","op":"place","text":"sheet"}"#))
    sheet.isModalInPresentation = true
    #expect(try visit("").joined().contains(#""text":"sheet""#))
    sheet.isModalInPresentation = false
    _ = try visit("")
    #expect(root.presentedViewController == nil)
  }

  @Test func anyIdentifiersGoThroughAnAddress() {
    let seed: UInt64 = 18
    print("Places: seed \(seed)")
    var state = seed
    let signs = Array("ab/%?#&=+ \"'<>ü‏שקم🇩🇪.\u{7F}\\:;")
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<500 {
      let path = (0...next(4)).map { _ in
        "x" + String((0..<next(8)).map { _ in signs[next(signs.count)] })
      }
      #expect(Place(text: Place(path).text) == Place(path))
    }
  }
}
