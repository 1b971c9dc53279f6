import ListKit

// The window's place in the page's address.
extension WindowSession {
  var place: Place { Place(window.restorationLevels.compactMap(\.identifier)) }

  /// The number of steps in the browser's history for this place. Tabs and alerts are not steps.
  private var depth: Int {
    window.restorationLevels.count { $0.kind == .screen || $0.kind == .sheet }
  }

  /// Goes to a place, as far as it exists.
  func restore(_ place: Place) {
    stepOut()
    window.restore(place.path)
  }

  /// Follows the browser's Back or Forward: its address already contains the place.
  func visit(_ event: WindowEvent) {
    let asked = Place(text: event.text ?? "")
    restore(asked)
    shownPlace = asked
    shownDepth = depth
    let now = place
    guard now != asked else { return }
    tellIfNotReached(asked)
    let isDeeper = now.begins(with: asked)
    let item = shownScreens.last?.controller?.navigationItem
    if isDeeper, item?.hidesBackButton == true { tell("This screen is left by its buttons.") }
    pending.append(placeOperation(isDeeper ? "push" : "replace"))
  }

  /// Shows a message if the window has not reached the place of an address, whose object may no
  /// longer exist.
  func tellIfNotReached(_ asked: Place) {
    if !place.begins(with: asked) { tell("What this address leads to is no longer there.") }
  }

  func updatePlace() {
    guard place != shownPlace else { return }
    let difference = depth - shownDepth
    pending.append(placeOperation(difference > 0 ? "push" : difference < 0 ? "pop" : "replace"))
  }

  /// Sends the place, and records it as the one in the page's address.
  func placeOperation(_ how: String) -> PatchOperation {
    shownPlace = place
    shownDepth = depth
    var operation = PatchOperation("place")
    operation.text = shownPlace.text
    operation.how = how
    return operation
  }

  /// The place for a page that is drawn with it.
  func notePlace() -> String { placeOperation("replace").text ?? "" }
}
