import Foundation
import ListKit
import Testing

@testable import ListTerminal

/// Controls that have a value, on the screen, in rows and by lines.
@MainActor
struct ControlTests {
  private func start(columns: Int = 70) -> (ControlsController, TestTerminal) {
    let controller = ControlsController()
    let navigation = UINavigationController(rootViewController: controller)
    navigation.isToolbarHidden = false
    return (controller, TestTerminal(navigation, columns: columns, rows: 24))
  }

  private func focus(_ terminal: TestTerminal, _ view: UIView) {
    terminal.session.focus(StopID(view))
    terminal.session.flush()
  }

  @Test func everyControlSaysItsValue() {
    let (controller, terminal) = start()
    #expect(terminal.text.contains("[off] Alarm   [Day] Week  Month    [ Wake ]"))
    #expect(terminal.text.contains("Cups [-] 0 [+]"))
    #expect(terminal.text.contains("Volume ━━━━━━●───── 0.5"))
    #expect(terminal.text.contains("Baking ━━━━━─────── 40%"))
    #expect(terminal.text.contains("01:30") && terminal.text.contains("[ Refresh ]"))
    #expect(!terminal.text.contains("In progress"))
    controller.activity.startAnimating()
    controller.progress.progress = 1
    terminal.session.flush()
    #expect(terminal.text.contains("… In progress"))
    #expect(terminal.text.contains("Baking ━━━━━━━━━━━━ 100%"))
  }

  @Test func viewsBesideEachOtherWrapWhereTheLineIsShort() {
    let (_, terminal) = start(columns: 30)
    #expect(terminal.lines.contains(" [off] Alarm"))
    #expect(terminal.lines.contains(" [Day] Week  Month"))
    #expect(terminal.lines.contains(" [ Wake ]"))
  }

  @Test func keysChangeWhatHasTheKeyboard() {
    let (controller, terminal) = start()
    focus(terminal, controller.toggle)
    terminal.press(.character(" "), .plain(.enter))
    focus(terminal, controller.stepper)
    terminal.press(.plain(.left), .plain(.right), .character("+"), .character("-"))
    focus(terminal, controller.slider)
    terminal.press(.plain(.right), .plain(.left), .plain(.left))
    focus(terminal, controller.segments)
    // The segment between them cannot be chosen.
    terminal.press(.plain(.right), .plain(.right), .plain(.left), .plain(.left))
    #expect(
      controller.events == [
        "alarm true", "alarm false", "cups 1.0", "cups 2.0", "cups 1.0", "volume 0.55",
        "volume 0.5", "volume 0.45", "segment 2", "segment 0",
      ])
  }

  @Test func aDisabledControlIsLeftAsItIs() {
    let (controller, terminal) = start()
    for control in [controller.toggle, controller.stepper, controller.slider, controller.segments] {
      (control as UIControl).isEnabled = false
    }
    terminal.session.flush()
    for text in ["[off]", "[+]", "━●─", "Month"] { terminal.click(text) }
    #expect(controller.events.isEmpty)
    #expect(!terminal.session.stops.contains { $0.id == StopID(controller.stepper) })
  }

  @Test func theMouseChangesThem() {
    let (controller, terminal) = start()
    for text in ["[off]", "[+]", "Volume ", "Month", "[ Wake ]", "[ Refresh ]", "Archive"] {
      terminal.click(text)
    }
    // The name of a slider is no part of it.
    #expect(
      controller.events == [
        "alarm true", "cups 1.0", "segment 2", "wake", "refresh", "archive",
      ])
    #expect(controller.table.refreshControl?.isRefreshing == true)
    #expect(terminal.text.contains("… Refresh"))
    terminal.click("━━━━━━●")
    #expect(controller.slider.value == 0)
  }

  @Test func lettersAndNumbersReachThemFromTheList() {
    let (controller, terminal) = start()
    // Alarm, Wake, Archive by the first letter that is free, and the segments as tabs.
    terminal.press(.character("3"), .character("["), .character("]"))
    #expect(controller.events == ["segment 2", "segment 0", "segment 2"])
    controller.events = []
    for title in ["Alarm", "Wake", "Archive"] {
      let command = terminal.session.commands.first { $0.title == title }
      if let key = command?.keys.first { terminal.press(key) }
    }
    #expect(controller.events == ["alarm true", "wake", "archive"])
  }

  @Test func aCountdownIsTypedOver() {
    let (controller, terminal) = start()
    focus(terminal, controller.timer)
    terminal.type("0245")
    #expect(controller.events.last == "timer 165")
    terminal.press(.plain(.home), .plain(.right), .character("+"))
    #expect(controller.events.last == "timer 225")
    terminal.press(.plain(.home))
    terminal.type("99")
    terminal.press(.plain(.tab))
    #expect(controller.timer.countDownDuration == 225 * 60)
    #expect(terminal.text.contains("“99:45” is no length of time: 03:45 stays"))
  }

  // MARK: Rows

  @Test func rowsShowTheirConfigurationAndControls() {
    let (_, terminal) = start()
    #expect(terminal.lines.contains { $0.contains("☆ [ ] ROW 0") && $0.contains("[-] 1 [+]") })
    #expect(terminal.lines.contains { $0.contains("☆ [x] ROW 1") && $0.contains("side") })
  }

  @Test func aRowsControlsAreChangedByKeysAndMouse() {
    let (controller, terminal) = start()
    terminal.press(.character(" "), .character("+"), .plain(.down), .character("-"))
    #expect(controller.events == ["row 0 true", "row 0 2.0", "row 1 1.0"])
    controller.events = []
    terminal.click("[x] ROW 1")
    terminal.click("[+]")
    #expect(controller.events == ["row 1 false", "cups 1.0"])
    // All of them are in the row's menu.
    terminal.press(.character("."))
    for title in ["Check", "More", "Less"] { #expect(terminal.text.contains(title)) }
  }

  // MARK: Bars and popovers

  @Test func aPopoverGoesByEscapeAndByAClickBeside() {
    let (_, terminal) = start()
    for leave in [{ terminal.press(.plain(.escape)) }, { terminal.click(x: 1, y: 1) }] {
      terminal.click("Info")
      #expect(terminal.text.contains("Inside"))
      // Its edge is no way out.
      terminal.click("╭")
      #expect(terminal.text.contains("Inside"))
      leave()
      #expect(!terminal.text.contains("Inside"))
    }
  }

  @Test func aHiddenToolbarTakesNoKeys() {
    let (controller, terminal) = start()
    controller.navigationController?.isToolbarHidden = true
    terminal.session.flush()
    #expect(!terminal.text.contains("Archive"))
    #expect(!terminal.session.commands.contains { $0.title == "Archive" })
  }

  // MARK: At random

  @Test(arguments: 1...8) func randomUseLeavesTheScreenAsDrawnAfresh(_ seed: UInt64) {
    var random = Random(seed: seed)
    let (controller, terminal) = start()
    let keys: [KeyPress] = [
      .plain(.up), .plain(.down), .plain(.left), .plain(.right), .plain(.tab), .shift(.tab),
      .plain(.enter), .plain(.escape), .character(" "), .character("+"), .character("-"),
      .character("."), .character("3"), .character("["), .character("]"), .character("5"),
      .character("?"), .character("i"),
    ]
    for step in 0..<150 {
      switch random.below(10) {
      case 0: terminal.resize(columns: 1 + random.below(90), rows: 1 + random.below(40))
      case 1, 2: terminal.click(x: random.below(90), y: random.below(40))
      case 3: controller.progress.progress = Float(random.below(120)) / 100
      case 4:
        controller.activity.isAnimating
          ? controller.activity.stopAnimating() : controller.activity.startAnimating()
      case 5: controller.table.refreshControl?.endRefreshing()
      default: terminal.press(random.choice(keys))
      }
      terminal.session.flush()
      let difference = terminal.screen.difference(from: terminal.drawnAfresh())
      #expect(difference == nil, "seed \(seed), step \(step)")
      #expect((0...3).contains(controller.stepper.value))
    }
  }

  // MARK: Values that are typed

  @Test func typedValuesAreTakenOrRefused() {
    let controller = ControlsController()
    controller.loadViewIfNeeded()
    let taken: [(any ValueControl, String)] = [
      (controller.toggle, "on"), (controller.stepper, "3"), (controller.slider, "0.25"),
      (controller.segments, "month"),
    ]
    for (control, text) in taken { #expect(control.receive(typed: text)) }
    #expect(
      controller.events == ["alarm true", "cups 3.0", "volume 0.25", "segment 2"])
    let refused: [(any ValueControl, String)] = [
      (controller.toggle, "maybe"), (controller.stepper, "4"), (controller.stepper, "1.5"),
      (controller.stepper, "nan"), (controller.slider, "2"), (controller.slider, "nan"),
      (controller.segments, "week"), (controller.segments, "year"),
    ]
    for (control, text) in refused { #expect(!control.receive(typed: text), "\(text)") }
    #expect(controller.events.count == 4)
  }
}
