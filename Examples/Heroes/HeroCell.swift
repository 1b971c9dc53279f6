#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// A row: the name that the list is sorted by, the other name and the sex, and the age.
final class HeroCell: UITableViewCell {
  private let ageLabel = UILabel()

  func show(_ hero: Hero, _ order: HeroOrder) {
    accessibilityHint = "edits"
    let texts =
      switch order {
      case .name: (hero.name, hero.secretIdentity)
      case .secretIdentity: (hero.secretIdentity, hero.name)
      }
    var content = UIListContentConfiguration.subtitleCell()
    content.text = texts.0 ?? "No secret identity"
    content.secondaryText = [texts.1, hero.sex].compactMap { $0 }.joined(separator: " · ")
    contentConfiguration = content
    ageLabel.text = hero.birthday == nil ? nil : "\(hero.age)"
    accessoryView = hero.birthday == nil ? nil : ageLabel
  }
}
