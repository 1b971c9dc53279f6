import Foundation
import Testing

@testable import ListKit

/// Controls with a value: what the user sets is taken over and told once, what a program sets is told to
/// nobody, what is no value is refused.
@MainActor
@Suite struct ControlTests {
  /// The control, a value of the user's, what it says then, and what it refuses.
  private static let cases: [(make: @MainActor () -> any ValueControl, String, String, String)] = [
    ({ UISwitch() }, "true", "true", "on"),
    ({ UIStepper() }, "1", "1.0", "2"),
    ({ UISlider() }, "0.25", "0.25", "nan"),
    ({ UISegmentedControl(items: ["a", "b"]) }, "1", "1", "2"),
  ]

  @Test(arguments: 0..<4)
  func aValueIsTakenOverAndToldOnce(index: Int) {
    let (make, given, said, wrong) = Self.cases[index]
    let control = make()
    var told = 0
    control.addAction(UIAction { _ in told += 1 }, for: .valueChanged)
    let before = control.valueText
    #expect(!control.receive(value: wrong))
    #expect(control.valueText == before)
    #expect(told == 0)
    #expect(control.receive(value: given))
    #expect(control.valueText == said)
    #expect(told == 1)
  }

  @Test func whatAProgramSetsIsToldToNobody() {
    var told = 0
    let note = UIAction { _ in told += 1 }
    let toggle = UISwitch(frame: .zero, primaryAction: note)
    toggle.setOn(true, animated: true)
    let slider = UISlider(frame: .zero, primaryAction: note)
    slider.value = 7
    let segments = UISegmentedControl(frame: .zero, actions: [note])
    segments.selectedSegmentIndex = 0
    #expect(told == 0)
    #expect(toggle.isOn)
    #expect(slider.value == 1)
  }

  @Test func aStepperStaysWithinItsBoundsOrWraps() {
    let stepper = UIStepper()
    (stepper.minimumValue, stepper.maximumValue, stepper.stepValue) = (2, 5, 2)
    #expect(stepper.value == 2)
    stepper.receive(value: "1")
    stepper.receive(value: "1")
    #expect(stepper.value == 5)
    #expect(!stepper.canIncrement && stepper.canDecrement)
    stepper.wraps = true
    stepper.receive(value: "1")
    #expect(stepper.value == 2)
    stepper.maximumValue = 1
    #expect(stepper.value >= 1)
  }

  @Test func aSegmentThatIsAPlaceIsChosenByItsAddress() {
    var chosen: [String] = []
    let actions = ["#/", "#/active"].map { name in
      UIAction(title: name, identifier: .init(name)) { chosen.append($0.identifier.rawValue) }
    }
    let segments = UISegmentedControl(frame: .zero, actions: actions)
    segments.insertSegment(withTitle: "plain", at: 9, animated: false)
    #expect(segments.open(address: "#/active"))
    #expect(!segments.open(address: "#/none"))
    #expect(segments.address(ofSegmentAt: 2) == nil)
    #expect(segments.selectedSegmentIndex == 1)
    #expect(chosen == ["#/active"])
    segments.setEnabled(false, forSegmentAt: 0)
    segments.receive(value: "0")
    #expect(segments.selectedSegmentIndex == 1)
    segments.removeSegment(at: 2, animated: false)
    #expect(segments.numberOfSegments == 2)
  }

  @Test func aRefreshControlIsBusyUntilItIsToldOtherwise() {
    var asked = 0
    let control = UIRefreshControl(frame: .zero, primaryAction: UIAction { _ in asked += 1 })
    control.pull()
    control.pull()
    #expect(asked == 1)
    #expect(control.isRefreshing)
    control.endRefreshing()
    control.pull()
    #expect(asked == 2)
  }

  @Test func theEmphasisOfALabelIsGoneWithItsText() {
    let label = UILabel()
    let text = NSMutableAttributedString(string: "3 left")
    text.addAttribute(
      .inlinePresentationIntent, value: InlinePresentationIntent.stronglyEmphasized.rawValue,
      range: NSRange(location: 0, length: 1))
    label.attributedText = text
    #expect(label.text == "3 left")
    #expect(label.pieces.map(\.text) == ["3", " left"])
    #expect(label.pieces.map(\.isStrong) == [true, false])
    label.text = "4 left"
    #expect(label.pieces.map(\.isStrong) == [false])
  }

  @Test(arguments: [("00:00", 0.0), ("01:30", 5400), ("23:59", 86340)])
  func aCountdownHasALength(text: String, seconds: Double) {
    let picker = UIDatePicker()
    picker.datePickerMode = .countDownTimer
    picker.countDownDuration = 120
    #expect(picker.dateText == "00:02")
    #expect(picker.receive(text))
    #expect(picker.countDownDuration == seconds)
    for wrong in ["24:00", "1", "-1:00", "x", "2000-01-01"] { #expect(!picker.receive(wrong)) }
    picker.countDownDuration = 1e9
    #expect(picker.dateText == "23:59")
  }

  @Test func theSelectedSegmentStaysSelectedWhenAnotherGoes() {
    for selected in 0..<3 {
      for removed in 0..<3 {
        let segments = UISegmentedControl(items: ["a", "b", "c"])
        segments.selectedSegmentIndex = selected
        let title = segments.titleForSegment(at: selected)
        segments.removeSegment(at: removed, animated: false)
        let index = segments.selectedSegmentIndex
        if selected == removed {
          #expect(index == UISegmentedControl.noSegment)
        } else {
          #expect(segments.titleForSegment(at: index) == title)
        }
      }
    }
  }
}
