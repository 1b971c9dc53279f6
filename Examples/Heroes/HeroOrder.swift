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

  /// The identifier of the tab in paths of windows.
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

  /// The key path of the first letter of the first sort key.
  var sectionNameKeyPath: String {
    switch self {
    case .name: "nameInitial"
    case .secretIdentity: "secretIdentityInitial"
    }
  }
}
