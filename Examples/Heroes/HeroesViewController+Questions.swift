import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// The list's form for a hero.
extension HeroesViewController {
  /// Shows a form for a hero, or for a new one if `hero` is nil.
  func ask(about hero: Hero?) {
    guard let hero else {
      return FormViewController(
        title: "Add a hero", button: "Add", fields: Self.fields(["", "", "", ""]),
        identifier: "add"
      ) { [weak self] texts in try self?.take(texts, nil) }.present(on: self)
    }
    FormViewController(
      title: "Edit hero", button: "Save", fields: Self.fields(hero.texts),
      identifier: hero.restorationIdentifier,
      now: {
        // Another window may have deleted the hero meanwhile.
        guard !hero.isDeleted, hero.managedObjectContext != nil else {
          throw Refusal("This hero has been deleted.")
        }
        return hero.texts
      }
    ) { [weak self] texts in try self?.take(texts, hero) }.present(on: self)
  }

  private static func fields(_ texts: [String]) -> [FormField] {
    [
      FormField("name", label: "Name", text: texts[0]),
      FormField("secretIdentity", label: "Secret identity", text: texts[1]),
      FormField("sex", label: "Sex", text: texts[2], kind: .choice(Hero.sexes)),
      FormField("birthday", label: "Birthday", text: texts[3], kind: .day(isRequired: false)),
    ]
  }

  /// Saves typed values. After a failed save they are rolled back; the form shows the error and
  /// keeps the typed values.
  private func take(_ texts: [String?], _ known: Hero?) throws {
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

// Paths of windows contain the identifier of the form.
extension HeroesViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    let hero = context.object(
      withRestorationIdentifier: identifier[...], entity: "Hero", as: Hero.self)
    guard hero != nil || identifier == "add" else { return false }
    ask(about: hero)
    return true
  }
}
