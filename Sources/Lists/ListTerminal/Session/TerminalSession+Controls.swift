import Foundation
import ListKit
import ListSnapshots

// Keys and clicks for controls that the user operates directly, on the screen and in rows.
extension TerminalSession {
  // MARK: Drawing

  func pieces(of view: UIView, isNamed: Bool = true) -> [ControlPiece] {
    ControlPieces(symbols: symbols).pieces(of: view, isNamed: isNamed)
  }

  func drawPieces(_ frame: Frame, view: UIView, area: Rectangle) {
    var x = area.x
    for piece in pieces(of: view) {
      let style = isFocused(StopID(view)) ? piece.style.reversed : piece.style
      let start = x
      x = frame.canvas.write(piece.text, x: x, y: area.y, limit: area.right, style: style)
      guard let press = piece.press else { continue }
      frame.onPress(Rectangle(x: start, y: area.y, width: x - start, height: 1)) {
        [weak self] report in
        self?.commitTyped()
        press(report.x - start)
      }
    }
  }

  /// Presses a control in a row. Text typed elsewhere is committed first, after which the row may
  /// have another cell.
  func pressControl(
    _ table: ListView, id: String, control: Int, piece: Int, column: Int
  ) {
    finishBefore(table, id: id)
    guard let path = table.indexPath(forID: id) else { return tell("That row was deleted") }
    focus(StopID(table))
    viewport(table).moveCursor(to: table.counts.place(of: path))
    settle()
    guard let controls = table.cell(at: path)?.controls, controls.indices.contains(control)
    else { return }
    let pieces = pieces(of: controls[control], isNamed: false)
    if pieces.indices.contains(piece) { pieces[piece].press?(column) }
  }

  // MARK: Keys

  /// The commands of the focused control, for Return and the arrow keys.
  func controlCommands(_ control: UIControl) -> [Command] {
    let press: [KeyPress] = [.plain(.enter), .character(" ")]
    switch control {
    case let toggle as UISwitch:
      return [toggleCommand(toggle, keys: press, group: .screen, rank: 9)]
    case let refresh as UIRefreshControl:
      return [
        Command(keys: press, title: refresh.title, group: .screen, rank: 9) { refresh.pull() }
      ]
    case let control as any ValueControl:
      return stepCommands(
        control, more: [.plain(.right), .character("+"), .character("=")],
        less: [.plain(.left), .character("-")], group: .screen)
    default:
      return [
        Command(
          keys: press, title: control.accessibilityLabel ?? "Press", group: .screen, rank: 9
        ) { control.sendActions(for: [.primaryActionTriggered, .touchUpInside]) }
      ]
    }
  }

  /// The commands of a row's controls. Space presses the first switch or button, `+` and `-` change
  /// the first number; the others get letters.
  func controlCommands(_ row: ListRow, letters: inout LetterPool) -> [Command] {
    var commands: [Command] = []
    var space: [KeyPress]? = [.character(" ")]
    var steps: (more: [KeyPress], less: [KeyPress])? = (
      [.character("+"), .character("=")], [.character("-")]
    )
    for case let control as UIControl in row.cell.controls where control.isEnabled {
      func keys(_ title: String) -> [KeyPress] {
        defer { space = nil }
        return space ?? letters.letter(for: title).map { [.character($0)] } ?? []
      }
      switch control {
      case let toggle as UISwitch:
        commands.append(toggleCommand(toggle, keys: keys(toggle.spokenName), group: .row, rank: 8))
      case let button as UIButton:
        let title = button.currentTitle ?? button.accessibilityLabel ?? "Press"
        commands.append(
          Command(keys: keys(title), title: title, group: .row, rank: 8) { button.press() })
      case let control as any ValueControl:
        // Segments stand side by side.
        let sides = control is UISegmentedControl && steps != nil
        commands += stepCommands(
          control, more: (sides ? [.plain(.right)] : []) + (steps?.more ?? []),
          less: (sides ? [.plain(.left)] : []) + (steps?.less ?? []), group: .row)
        steps = nil
      default: break
      }
    }
    return commands
  }

  private func toggleCommand(
    _ toggle: UISwitch, keys: [KeyPress], group: Command.Group, rank: Int
  ) -> Command {
    let title =
      toggle.style == .checkbox
      ? toggle.isOn ? "Uncheck" : "Check" : toggle.isOn ? "Switch off" : "Switch on"
    return Command(keys: keys, title: title, group: group, rank: rank) { toggle.toggleByUser() }
  }

  private func stepCommands(
    _ control: any ValueControl, more: [KeyPress], less: [KeyPress], group: Command.Group
  ) -> [Command] {
    let isChoice = control is UISegmentedControl
    return [
      Command(keys: more, title: isChoice ? "Next choice" : "More", group: group, rank: 8) {
        control.step(by: 1)
      },
      Command(keys: less, title: isChoice ? "Choice before" : "Less", group: group, rank: 8) {
        control.step(by: -1)
      },
    ]
  }

  // MARK: Segments

  /// The commands that select segments, with the keys of tabs; only on a screen without tabs.
  func segmentCommands(_ parts: ScreenParts) -> [Command] {
    guard let segments = parts.segments else { return [] }
    let numbers = (0..<min(9, segments.numberOfSegments)).filter {
      segments.isEnabledForSegment(at: $0)
    }.map { index in
      Command(
        keys: [.character(Character("\(index + 1)"))],
        title: segments.titleForSegment(at: index) ?? "", group: .screen,
        rank: index == segments.selectedSegmentIndex ? 0 : 5
      ) { segments.receive(value: String(index)) }
    }
    return numbers + [
      Command(keys: [.character("]")], title: "Next choice", group: .screen) {
        segments.step(by: 1)
      },
      Command(keys: [.character("[")], title: "Choice before", group: .screen) {
        segments.step(by: -1)
      },
    ]
  }
}
