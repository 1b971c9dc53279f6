import ListKit

// The place of the window is in the page's address.
extension WindowSession {
  var place: Place { Place(window.restorationLevels.compactMap(\.identifier)) }

  /// How many steps of the browser's history lead here. Tabs stand side by side, and a question is
  /// no place to go back to.
  private var depth: Int {
    window.restorationLevels.count { $0.kind == .screen || $0.kind == .sheet }
  }

  /// Goes to a place; what is there of it is on the page then.
  func restore(_ place: Place) { window.restore(place.path) }

  /// The browser has gone back or forth: its address says the place already.
  func visit(_ event: WindowEvent) {
    let asked = Place(text: event.text ?? "")
    restore(asked)
    shownPlace = asked
    shownDepth = depth
    let now = place
    guard now != asked else { return }
    tellIfNotReached(asked)
    pending.append(placeOperation(now.begins(with: asked) ? "push" : "replace"))
  }

  /// An address may lead to what is no longer there: then the window is as near to it as it can be.
  func tellIfNotReached(_ asked: Place) {
    if !place.begins(with: asked) { tell("What this address leads to is no longer there.") }
  }

  func updatePlace() {
    guard place != shownPlace else { return }
    let difference = depth - shownDepth
    pending.append(placeOperation(difference > 0 ? "push" : difference < 0 ? "pop" : "replace"))
  }

  /// Says the place, and takes it as what the address says.
  func placeOperation(_ how: String) -> PatchOperation {
    shownPlace = place
    shownDepth = depth
    var operation = PatchOperation("place")
    operation.text = shownPlace.text
    operation.how = how
    return operation
  }

  /// For a page that is drawn with it.
  func notePlace() -> String { placeOperation("replace").text ?? "" }
}
