extension UIViewController {
  /// The nearest navigation controller among the controller's ancestors.
  public var navigationController: UINavigationController? {
    parent as? UINavigationController ?? parent?.navigationController
  }

  /// Adds a child controller. The caller adds its view.
  public func addChild(_ child: UIViewController) {
    child.removeFromParent()
    children.append(child)
    child.parent = self
  }

  /// Removes the controller from its parent. The caller removes its view.
  public func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
  }
}
