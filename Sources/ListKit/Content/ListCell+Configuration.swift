/// How a cell follows its state.
///
/// Source: UIKit, `UITableViewCell` and `UICollectionViewCell`.
extension ListCell {
  /// The cell's state now.
  public var configurationState: UICellConfigurationState {
    var state = UICellConfigurationState()
    state.isSelected = isSelected
    state.isEditing = isEditing
    state.isDisabled = !isUserInteractionEnabled
    state.isExpanded = isExpanded
    return state
  }

  /// Says that the configurations depend on something that has changed. They are updated at once.
  public func setNeedsUpdateConfiguration() { runConfigurationUpdate() }

  /// Lets the subclass, the handler and the configurations follow the state.
  func runConfigurationUpdate() {
    guard !isUpdatingConfiguration else { return }
    isUpdatingConfiguration = true
    defer { isUpdatingConfiguration = false }
    let state = configurationState
    updateConfiguration(using: state)
    runUpdateHandler(state)
    if automaticallyUpdatesContentConfiguration {
      contentConfiguration = contentConfiguration?.updated(for: state)
    }
    if automaticallyUpdatesBackgroundConfiguration {
      backgroundConfiguration = backgroundConfiguration?.updated(for: state)
    }
  }

  /// The list configuration, when it is one.
  var listContent: UIListContentConfiguration? {
    contentConfiguration as? UIListContentConfiguration
  }

  /// A configuration of another kind brings a view of its own.
  func installContentView(replacing old: (any UIContentConfiguration)?) {
    guard let configuration = contentConfiguration, listContent == nil else {
      madeContentView?.removeFromSuperview()
      madeContentView = nil
      return
    }
    if let view = madeContentView as? any UIContentView, view.supports(configuration) {
      view.configuration = configuration
      return
    }
    madeContentView?.removeFromSuperview()
    let view = configuration.makeContentView()
    madeContentView = view
    contentView.addSubview(view)
  }

  /// The labels of a view of its own, in the order of its tree.
  var ownLabels: [UILabel] { madeContentView.map(Self.labels) ?? [] }

  static func labels(in view: UIView) -> [UILabel] {
    if view.isHidden { return [] }
    if let label = view as? UILabel { return [label] }
    return view.subviews.flatMap(labels)
  }
}
