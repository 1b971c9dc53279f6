import Foundation
import ListKit
import ListSnapshots
import Testing

@testable import ListWeb

/// Sheets and forms in a window without a network: events in, messages out.
@MainActor
@Suite struct SheetTests {
  /// A form of a name and a day.
  private final class Form: UITableViewController {
    let name = UITextField()
    let day = UIDatePicker()
    var typed: [String?] = []
    private var cells: [UITableViewCell] = []

    override func viewDidLoad() {
      super.viewDidLoad()
      title = "New"
      name.addAction(
        UIAction { [weak self] _ in self?.typed.append(self?.name.text) }, for: .editingChanged)
      day.datePickerMode = .date
      day.timeZone = .gmt
      day.date = Date(timeIntervalSince1970: 0)
      cells = [name, day].map { control in
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        cell.contentView.addSubview(control)
        return cell
      }
      cells[0].textLabel?.text = "Name <b>"
    }
    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      cells.count
    }
    override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell { cells[indexPath.row] }
    override func tableView(
      _ tableView: UITableView, titleForFooterInSection section: Int
    ) -> String? { "Both are needed & wanted." }
  }

  private func makeSession() -> (session: WindowSession, list: ListController) {
    let list = ListController(Titles(["a", "b"]))
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: list)
    let session = WindowSession(token: "test", scene: scene, window: window)
    _ = session.drawScreen()
    session.flush()
    return (session, list)
  }

  private func presentForm(
    _ session: WindowSession, _ list: ListController,
    _ style: UIModalPresentationStyle = .pageSheet
  ) -> Form {
    let form = Form(style: .insetGrouped)
    form.modalPresentationStyle = style
    list.present(form, animated: true)
    session.flush()
    return form
  }

  private func last(_ session: WindowSession) -> String {
    session.log.messages.last?.text ?? ""
  }

  private func event(
    _ type: String, _ id: String? = nil, _ text: String? = nil
  ) -> WindowEvent {
    var event = WindowEvent(type: type)
    event.id = id
    event.text = text
    return event
  }

  @Test func aSheetIsALayerOverTheScreenWhichIsNotSentAgain() {
    let (session, list) = makeSession()
    _ = presentForm(session, list)
    let message = last(session)
    #expect(message.contains("\"first\":1"))
    #expect(message.contains("\"how\":\"present\""))
    #expect(message.contains("modal page"))
    #expect(!message.contains("Rename a"))
    list.dismiss(animated: true)
    session.flush()
    #expect(last(session) == #"[{"byOthers":true,"first":1,"op":"dismiss"}]"#)
  }

  @Test func changesOfTheListUnderASheetAreSentAsEver() {
    let (session, list) = makeSession()
    _ = presentForm(session, list)
    list.insert("new", at: 0)
    session.flush()
    #expect(last(session).contains("\"op\":\"rows\""))
    #expect(last(session).contains("Rename new"))
    // In one message with the end of the sheet too.
    list.dismiss(animated: true)
    list.remove(at: 2)
    session.flush()
    #expect(last(session).contains("\"op\":\"dismiss\""))
    #expect(last(session).contains("\"op\":\"rows\""))
  }

  @Test func aFullScreenPresentationTakesThePlaceOfTheScreen() {
    let (session, list) = makeSession()
    _ = presentForm(session, list, .fullScreen)
    #expect(last(session).contains("\"first\":0"))
    #expect(!last(session).contains("class=\\\"modal"))
  }

  @Test func aPageThatComesLateGetsAllLayers() {
    let (session, list) = makeSession()
    _ = presentForm(session, list, .formSheet)
    let page = session.drawScreen().markup
    #expect(page.contains("Rename a"))
    #expect(page.contains("class=\"modal form\""))
    #expect(page.contains("Name &lt;b&gt;"))
    #expect(page.contains("<p class=\"footnote\" dir=\"auto\">Both are needed &amp; wanted.</p>"))
  }

  @Test func escapeDismissesAndAModalFormStays() throws {
    let (session, list) = makeSession()
    let form = presentForm(session, list)
    form.isModalInPresentation = true
    try session.handle(event("cancel"))
    #expect(list.presentedViewController === form)
    form.isModalInPresentation = false
    try session.handle(event("cancel"))
    #expect(list.presentedViewController == nil)
  }

  @Test func typingReachesTheAppAndSendsNothingBack() throws {
    let (session, list) = makeSession()
    let form = presentForm(session, list)
    let name = session.names.name(for: form.name)
    let before = session.log.last
    try session.handle(event("type", name, "M"))
    try session.handle(event("type", name, "Mi"))
    #expect(form.typed == ["M", "Mi"])
    #expect(session.log.last == before)
    form.name.text = "Set by the app"
    session.flush()
    #expect(last(session).contains("\"op\":\"field\""))
    #expect(last(session).contains("Set by the app"))
  }

  @Test func aDateIsChosenAndWhatIsNoneIsRefused() throws {
    let (session, list) = makeSession()
    let form = presentForm(session, list)
    let day = session.names.name(for: form.day)
    try session.handle(event("date", day, "1984-05-27"))
    #expect(form.day.dateText == "1984-05-27")
    #expect(throws: WindowEventError.self) { try session.handle(event("date", day, "soon")) }
    form.dismiss(animated: true)
    try session.handle(event("date", day, "1999-01-01"))
    #expect(form.day.dateText == "1984-05-27")
    #expect(last(session).contains("You chose: 1999-01-01"))
  }

  @Test func whatIsTypedIntoAnAlertReachesTheAppAndDoesNotDrawItAnew() throws {
    let (session, list) = makeSession()
    let alert = UIAlertController(title: "Name", message: nil, preferredStyle: .alert)
    let ok = UIAlertAction(title: "OK", style: .default)
    ok.isEnabled = false
    alert.addTextField { field in
      field.addAction(
        UIAction { [weak field] _ in ok.isEnabled = (field?.text ?? "").count > 1 },
        for: .editingChanged)
    }
    alert.addAction(ok)
    list.present(alert, animated: true)
    session.flush()
    let field = try #require(alert.textFields?.first)
    let name = session.names.name(for: field)
    let before = session.log.last
    try session.handle(event("type", name, "M"))
    #expect(session.log.last == before)
    // Its button is another one now.
    try session.handle(event("type", name, "Mi"))
    #expect(last(session).contains("\"op\":\"alert\""))
    field.text = "Milk"
    session.flush()
    #expect(last(session).contains("\"op\":\"field\""))
  }
}
