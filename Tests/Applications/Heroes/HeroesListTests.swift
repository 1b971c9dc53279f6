import CoreData
import Foundation
import ListKit
import Testing

@testable import Heroes

/// What the lists of heroes ask Core Data for.
@MainActor
struct HeroesListTests {
  private func show(_ list: UIViewController) -> UIWindow {
    let window = UIWindow(frame: .zero)
    window.rootViewController = list
    window.makeKeyAndVisible()
    return window
  }

  @Test(arguments: HeroOrder.allCases)
  func aListFetchesInBatchesOfTwentyUnderOneCacheName(order: HeroOrder) throws {
    let context = try makeMemoryContext(model: "Heroes")
    try League.fill(context, 100)
    let list = HeroesViewController(context: context, order: order)
    let window = show(list)
    let controller = try #require(list.dataSource?.fetchedResultsController)
    #expect(controller.fetchRequest.fetchBatchSize == 20)
    #expect(controller.cacheName == "Hero")
    #expect(controller.sectionNameKeyPath == order.sectionNameKeyPath)
    #expect(controller.fetchRequest.sortDescriptors?.first?.key == "\(order)")
    #expect(list.tableView.dequeueReusableCell(withIdentifier: "Hero") is HeroCell)
    _ = window
  }

  @Test func aHeroIsAsOldAsTheYearsSinceTheBirthday() throws {
    let hero = Hero(context: try makeMemoryContext(model: "Heroes"))
    #expect(hero.age == 0)
    hero.birthday = Calendar.current.date(byAdding: .year, value: -33, to: .now)
    #expect(hero.age == 33)
    #expect(hero.value(forKey: "age") as? Int16 == 33)
    #expect(hero.entity.attributesByName["age"]?.isTransient == true)
  }

  @Test func madeUpHeroesAreAlwaysTheSame() throws {
    func names(_ context: NSManagedObjectContext) throws -> [String] {
      let request = Hero.fetchRequest()
      request.sortDescriptors = HeroOrder.secretIdentity.sortDescriptors
      return try context.fetch(request).map {
        "\($0.name ?? "") \($0.secretIdentity ?? "") \($0.sex ?? "") \($0.birthdayText)"
      }
    }
    let contexts = try [makeMemoryContext(model: "Heroes"), makeMemoryContext(model: "Heroes")]
    for context in contexts { try League.fill(context, 1000) }
    #expect(try names(contexts[0]) == names(contexts[1]))
    // A store that has heroes gets no more.
    try League.fill(contexts[0], 1000)
    #expect(try contexts[0].count(for: Hero.fetchRequest()) == 1000)
  }

  @Test func theChosenTabIsKeptInTheUserDefaults() throws {
    let context = try makeMemoryContext(model: "Heroes")
    let name = "HeroesListTests-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    let tabs = HeroesTabBarController(context: context, defaults: defaults)
    let window = show(tabs)
    #expect(tabs.selectedIndex == 0)
    tabs.selectedIndex = 1
    tabs.tabBarController(tabs, didSelect: tabs.viewControllers![1])
    #expect(HeroesTabBarController(context: context, defaults: defaults).selectedIndex == 1)
    _ = window
  }
}
