extension UIViewController {
  /// The nearest tab bar controller among the controller's ancestors.
  public var tabBarController: UITabBarController? {
    parent as? UITabBarController ?? parent?.tabBarController
  }

  /// The tab bar to show with this controller's content; `nil` for none.
  package var shownTabBar: UITabBar? {
    let stack = navigationController?.viewControllers ?? []
    let pushed = stack.dropFirst().prefix { $0 !== self } + (stack.first === self ? [] : [self])
    if pushed.contains(where: \.hidesBottomBarWhenPushed) { return nil }
    return tabBarController?.tabBar
  }
}
