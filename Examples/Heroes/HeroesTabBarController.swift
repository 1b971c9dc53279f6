import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// The heroes in two orders, one for each tab. The selected tab is stored in the user defaults.
final class HeroesTabBarController: UITabBarController, UITabBarControllerDelegate {
  private static let selectedTabKey = "HeroesSelectedTab"
  private let defaults: UserDefaults

  init(context: NSManagedObjectContext, defaults: UserDefaults = .standard) {
    self.defaults = defaults
    super.init(nibName: nil, bundle: nil)
    viewControllers = HeroOrder.allCases.map { order in
      let list = HeroesViewController(context: context, order: order)
      list.tabBarItem = UITabBarItem(title: order.title, image: nil, tag: order.rawValue)
      let navigation = UINavigationController(rootViewController: list)
      navigation.restorationIdentifier = order.restorationIdentifier
      return navigation
    }
    selectedIndex = defaults.integer(forKey: Self.selectedTabKey)
    delegate = self
  }

  required init?(coder: NSCoder) { nil }

  func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController
  ) {
    defaults.set(selectedIndex, forKey: Self.selectedTabKey)
    // On Linux, user defaults are written to disk only on request.
    defaults.synchronize()
  }
}
