import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// What the list asks its user.
extension HeroesViewController {
  /// Asks for a new hero, or for what there is to change about one.
  func ask(about hero: Hero?) {
    FieldsAlert(
      title: hero?.name ?? "Add a hero", button: hero == nil ? "Add" : "Save",
      fields: [
        .init("Name", hero?.name ?? ""), .init("Secret identity", hero?.secretIdentity ?? ""),
        .init("Sex", hero?.sex ?? ""), .init("Birthday", hero?.birthdayText ?? ""),
      ], identifier: hero == nil ? "add" : hero?.restorationIdentifier
    ) { [weak self] texts in try self?.take(texts, hero) }.present(on: self)
  }

  /// What cannot be saved is not kept; the alert says why, and still has what was typed.
  private func take(_ texts: [String], _ known: Hero?) throws {
    // Another window may have deleted the hero meanwhile.
    if let known, known.isDeleted || known.managedObjectContext == nil {
      throw Refusal("This hero has been deleted.")
    }
    let hero = known ?? Hero(context: context)
    do {
      try hero.take(name: texts[0], secretIdentity: texts[1], sex: texts[2], birthday: texts[3])
      try save(known == nil ? "Add" : "Change", hero.name)
    } catch {
      context.rollback()
      throw error
    }
    scroll(to: hero)
  }
}

// Each question has a name in the place of the window.
extension HeroesViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    let hero = context.object(
      withRestorationIdentifier: identifier[...], entity: "Hero", as: Hero.self)
    guard hero != nil || identifier == "add" else { return false }
    ask(about: hero)
    return true
  }
}
