import Foundation
import ListKit
import Testing

/// Sheets: what is seen, and how a user gets rid of them.
@MainActor
@Suite struct PresentationTests {
  private final class Delegate: UIAdaptivePresentationControllerDelegate {
    var lines: [String] = []
    var allows = true

    func presentationControllerShouldDismiss(_ controller: UIPresentationController) -> Bool {
      lines.append("should")
      return allows
    }
    func presentationControllerWillDismiss(_ controller: UIPresentationController) {
      lines.append("will")
    }
    func presentationControllerDidDismiss(_ controller: UIPresentationController) {
      lines.append("did")
    }
    func presentationControllerDidAttemptToDismiss(_ controller: UIPresentationController) {
      lines.append("attempt")
    }
  }

  private let window = UIWindow(frame: .zero)
  private let list = UIViewController()
  private let form = UIViewController()
  private let delegate = Delegate()

  /// A list with a form over it, each in a navigation controller of its own.
  private func presentForm(_ style: UIModalPresentationStyle = .automatic) {
    window.rootViewController = UINavigationController(rootViewController: list)
    window.makeKeyAndVisible()
    let navigation = UINavigationController(rootViewController: form)
    navigation.modalPresentationStyle = style
    navigation.presentationController?.delegate = delegate
    list.present(navigation, animated: true)
  }

  @Test(arguments: [UIModalPresentationStyle.automatic, .pageSheet, .formSheet])
  func aSheetLiesOverItsPresenter(style: UIModalPresentationStyle) {
    presentForm(style)
    #expect(window.visibleLayers == [list, form])
    #expect(window.visibleViewController === form)
    #expect(form.sheet === form.navigationController)
    #expect(list.sheet == nil)
  }

  @Test func aFullScreenPresentationCoversItsPresenter() {
    presentForm(.fullScreen)
    #expect(window.visibleLayers == [form])
    #expect(form.sheet == nil)
  }

  @Test func whatIsPushedInASheetTakesThePlaceOfItsContent() {
    presentForm()
    let page = UIViewController()
    form.navigationController?.pushViewController(page, animated: true)
    #expect(window.visibleLayers == [list, page])
    #expect(page.sheet === form.navigationController)
  }

  @Test func aSheetOverASheetIsAThirdLayer() {
    presentForm()
    let other = UIViewController()
    form.present(other, animated: true)
    #expect(window.visibleLayers == [list, form, other])
    window.cancelSheet()
    #expect(window.visibleLayers == [list, form])
  }

  @Test func theUserDismissesASheet() {
    presentForm()
    window.cancelSheet()
    #expect(delegate.lines == ["should", "will", "did"])
    #expect(window.visibleLayers == [list])
    window.cancelSheet()
    #expect(window.visibleLayers == [list])
  }

  @Test func aModalControllerStaysAndIsToldOfTheAttempt() {
    presentForm()
    form.isModalInPresentation = true
    window.cancelSheet()
    #expect(delegate.lines == ["attempt"])
    #expect(window.visibleLayers == [list, form])
  }

  @Test func aDelegateThatRefusesKeepsTheSheet() {
    presentForm()
    delegate.allows = false
    window.cancelSheet()
    #expect(delegate.lines == ["should", "attempt"])
    #expect(window.visibleLayers == [list, form])
  }

  @Test func dismissingInCodeAsksNobody() {
    presentForm()
    var isDone = false
    form.dismiss(animated: true) { isDone = true }
    #expect(isDone)
    #expect(delegate.lines == [])
    #expect(window.visibleLayers == [list])
  }

  @Test func anAlertOverASheetIsAnsweredFirst() {
    presentForm()
    form.present(
      UIAlertController(title: "Sure?", message: nil, preferredStyle: .alert), animated: true)
    #expect(window.visibleLayers == [list, form])
    window.cancelSheet()
    #expect(delegate.lines == [])
    #expect(window.visibleAlert != nil)
  }
}
