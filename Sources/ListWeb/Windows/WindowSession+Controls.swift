import ListKit

extension WindowSession {
  /// The user set a control's value.
  func setValue(_ event: WindowEvent) throws(WindowEventError) {
    guard let text = event.text else { throw .malformed("A value event needs a text.") }
    guard let control = names.shownView(named: event.id) as? any ValueControl else {
      return tell("What you changed is no longer there.")
    }
    guard control.isEnabled else { return }
    guard control.receive(value: text) else {
      throw .malformed("“\(text.prefix(40))” is no value of this control.")
    }
    // A row that holds it says the same now, perhaps in another place.
    if event.type == "value" { control.setNeedsDisplay() }
  }

  /// The page's address names a place within the screen.
  func open(_ event: WindowEvent) throws(WindowEventError) {
    guard let address = event.text, address.hasPrefix("#") else {
      throw .malformed("An open event needs an address that begins with “#”.")
    }
    for control in window.visibleViewController?.viewIfLoaded?.segmentedControls ?? [] {
      if control.open(address: address) { return }
    }
  }

  /// A container that comes or goes keeps what is in it.
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
