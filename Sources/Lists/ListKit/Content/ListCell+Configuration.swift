/// Configuration of cells by their state.
///
/// Source: UIKit, `UITableViewCell` and `UICollectionViewCell`.
extension ListCell {
  /// The cell's current state.
  public var configurationState: UICellConfigurationState {
    var state = UICellConfigurationState()
    state.isSelected = isSelected
    state.isEditing = isEditing
    state.isDisabled = !isUserInteractionEnabled
    state.isExpanded = isExpanded
    return state
  }

  /// Updates the configurations at once, after a change of something that they depend on.
  public func setNeedsUpdateConfiguration() { runConfigurationUpdate() }

  /// Runs `updateConfiguration(using:)`, the update handler and the configurations'
  /// `updated(for:)`, in this order. Does nothing while it is running.
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

  /// The content configuration, if it is a `UIListContentConfiguration`.
  var listContent: UIListContentConfiguration? {
    contentConfiguration as? UIListContentConfiguration
  }

  /// Shows the content view of a configuration that is no list content: reuses the existing view
  /// when it supports the configuration, else replaces it.
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

  /// The labels of the custom content view, in the order of its tree.
  var ownLabels: [UILabel] { madeContentView.map(Self.labels) ?? [] }

  static func labels(in view: UIView) -> [UILabel] {
    if view.isHidden { return [] }
    if let label = view as? UILabel { return [label] }
    return view.subviews.flatMap(labels)
  }
}
