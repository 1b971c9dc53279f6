/// An entry of a menu: an action, or a menu in it.
///
/// Source: UIKit, `UIMenuElement`.
@MainActor
public class UIMenuElement {
  /// The text of the entry.
  public var title: String
  /// The picture beside the text.
  public var image: UIImage?

  init(title: String, image: UIImage?) {
    self.title = title
    self.image = image
  }
}

/// Actions under a title.
///
/// Source: UIKit, `UIMenu`. The actions of menus inside are drawn in a line with its own.
@MainActor
public final class UIMenu: UIMenuElement {
  /// The entries, from top to bottom.
  public let children: [UIMenuElement]

  /// Makes a menu of these entries.
  public init(title: String = "", image: UIImage? = nil, children: [UIMenuElement] = []) {
    self.children = children
    super.init(title: title, image: image)
  }

  /// The actions that can be chosen, those of the menus inside included.
  var actions: [UIAction] {
    children.flatMap { ($0 as? UIMenu)?.actions ?? [$0 as? UIAction].compactMap(\.self) }
      .filter { $0.attributes.isDisjoint(with: [.disabled, .hidden]) }
  }
}
