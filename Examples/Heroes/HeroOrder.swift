import CoreData

/// The two orders of the list, one for each tab.
enum HeroOrder: Int, CaseIterable {
  case name
  case secretIdentity

  var title: String {
    switch self {
    case .name: "By name"
    case .secretIdentity: "By identity"
    }
  }

  /// In the place of the window.
  var restorationIdentifier: String {
    switch self {
    case .name: "by-name"
    case .secretIdentity: "by-identity"
    }
  }

  var sortDescriptors: [NSSortDescriptor] {
    let name = NSSortDescriptor(key: "name", ascending: true)
    let secretIdentity = NSSortDescriptor(key: "secretIdentity", ascending: true)
    switch self {
    case .name: return [name, secretIdentity]
    case .secretIdentity: return [secretIdentity, name]
    }
  }

  /// The first letter of what comes first in the order.
  var sectionNameKeyPath: String {
    switch self {
    case .name: "nameInitial"
    case .secretIdentity: "secretIdentityInitial"
    }
  }
}
