import Foundation
import ListKit

// Alerts in plain mode: one field after the other, then the choice.
extension PlainSession {
  func printAlert(_ alert: UIAlertController) {
    say("")
    say("? \(alert.title ?? "")")
    for line in (alert.message ?? "").split(separator: "\n") { say(String(line)) }
    if let fields = alert.textFields, !fields.isEmpty {
      say("(An empty line keeps what is there, a colon alone leaves the question.)")
      askedField = 0
    } else {
      askedField = nil
    }
    ask(alert)
  }

  private func ask(_ alert: UIAlertController) {
    let fields = alert.textFields ?? []
    if let index = askedField, fields.indices.contains(index) {
      let name = fields[index].accessibilityLabel ?? fields[index].placeholder ?? "Text"
      let text = fields[index].text ?? ""
      return say(text.isEmpty ? "\(name):" : "\(name) [\(text)]:")
    }
    let names = AlertParts(alert: alert).actions.enumerated().map { index, action in
      "\(index + 1) \(action.title ?? "")" + (action.isEnabled ? "" : " (not now)")
    }
    say(names.joined(separator: ", ") + "?")
  }

  func answer(_ alert: UIAlertController, line: String) {
    if line.trimmingCharacters(in: .whitespaces) == ":" { return leave(alert) }
    let fields = alert.textFields ?? []
    if let index = askedField, fields.indices.contains(index) {
      if !line.isEmpty { fields[index].receive(line) }
      askedField = index + 1
      return ask(alert)
    }
    let parts = AlertParts(alert: alert)
    let text = line.trimmingCharacters(in: .whitespaces)
    let chosen =
      text.isEmpty
      ? parts.preferred
      : Int(text).flatMap { parts.actions.indices.contains($0 - 1) ? parts.actions[$0 - 1] : nil }
        ?? parts.actions.first { Self.matches($0.title ?? "", typed: text) }
    guard let chosen, chosen.isEnabled else { return ask(alert) }
    alert.choose(chosen)
  }

  private func leave(_ alert: UIAlertController) {
    if alert.actions.contains(where: { $0.style == .cancel }) { return alert.choose(nil) }
    askedField = nil
    ask(alert)
  }
}
