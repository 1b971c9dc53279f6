import ListKit

extension WindowSession {
  /// Sets a control's value for the user.
  func setValue(_ event: WindowEvent) throws(WindowEventError) {
    guard let text = event.text else { throw .malformed("A value event needs a text.") }
    guard let control = names.shownView(named: event.id) as? any ValueControl else {
      return tell("What you changed is no longer there.")
    }
    guard control.isEnabled else { return }
    guard control.receive(value: text) else {
      throw .malformed("“\(text.prefix(40))” is no value of this control.")
    }
    // The row that contains the control may have moved or been redrawn meanwhile.
    if event.type == "value" { control.setNeedsDisplay() }
  }

  /// Selects the segment whose address the page has opened.
  func open(_ event: WindowEvent) throws(WindowEventError) {
    guard let address = event.text, address.hasPrefix("#") else {
      throw .malformed("An open event needs an address that begins with “#”.")
    }
    for control in window.visibleViewController?.viewIfLoaded?.segmentedControls ?? [] {
      if control.open(address: address) { return }
    }
  }

  /// Hides or shows a container without redrawing it, so that the page keeps its content.
  func redrawHidden(_ view: UIView) -> PatchOperation {
    var operation = PatchOperation("hidden")
    operation.id = names.name(for: view)
    operation.enabled = !view.isHidden
    return operation
  }
}

extension UIView {
  fileprivate var segmentedControls: [UISegmentedControl] {
    if let control = self as? UISegmentedControl { return [control] }
    return subviews.flatMap(\.segmentedControls)
  }
}
