import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// A window's path leads down through the lists: `p12` is an item, `move-p12` the choice of its
// destination, `outline` the tree of everything in the list.
extension ItemViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    if identifier == OutlineViewController.identifier {
      showOutline()
      return true
    }
    let parts = identifier.split(separator: "-")
    guard let name = parts.last,
      let item = context.object(withRestorationIdentifier: name, entity: "Item", as: Item.self),
      item.parent === parentItem
    else { return false }
    if parts.count == 1 { show(item) } else { askWhereTo(item) }
    return true
  }
}
