import Foundation
import ListKit
import ListSnapshots

/// A list in the first section, and tiles in the second: a wide one and a narrow one in each line.
/// Items can be moved, and pulled to either side in the list.
final class TilesScreen: UICollectionViewController {
  private(set) var sections: [[String]]
  private(set) var done: [String] = []

  private let cells = UICollectionView.CellRegistration<UICollectionViewListCell, String> {
    cell, _, title in
    var content = cell.defaultContentConfiguration()
    content.text = title
    content.secondaryText = "\(title.count) letters"
    cell.contentConfiguration = content
    cell.accessories = [.disclosureIndicator(), .reorder()]
  }

  init(_ sections: [[String]]) {
    self.sections = sections
    super.init(collectionViewLayout: UICollectionViewFlowLayout())
    title = "Tiles"
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    navigationItem.rightBarButtonItem = editButtonItem
    collectionView.setCollectionViewLayout(
      UICollectionViewCompositionalLayout { [weak self] section, environment in
        guard let self else { return nil }
        return section == 0 ? list(environment) : tiles
      }, animated: false)
  }

  private func list(_ environment: any NSCollectionLayoutEnvironment) -> NSCollectionLayoutSection {
    var list = UICollectionLayoutListConfiguration(appearance: .plain)
    list.leadingSwipeActionsConfigurationProvider = { [weak self] in self?.action("Mark", $0) }
    list.trailingSwipeActionsConfigurationProvider = { [weak self] in self?.action("Archive", $0) }
    return .list(using: list, layoutEnvironment: environment)
  }

  private func action(_ title: String, _ path: IndexPath) -> UISwipeActionsConfiguration {
    UISwipeActionsConfiguration(actions: [
      UIContextualAction(style: .normal, title: title) { [weak self] _, _, _ in
        guard let self else { return }
        done.append("\(title) \(sections[path.section][path.item])")
      }
    ])
  }

  private var tiles: NSCollectionLayoutSection {
    let items = [0.75, 0.25].map { share in
      NSCollectionLayoutItem(
        layoutSize: NSCollectionLayoutSize(
          widthDimension: .fractionalWidth(share), heightDimension: .fractionalHeight(1)))
    }
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: NSCollectionLayoutSize(
        widthDimension: .fractionalWidth(1), heightDimension: .absolute(70)), subitems: items)
    group.interItemSpacing = .fixed(8)
    let section = NSCollectionLayoutSection(group: group)
    section.interGroupSpacing = 8
    return section
  }

  func append(_ title: String) {
    sections[1].append(title)
    collectionView.insertItems(at: [IndexPath(item: sections[1].count - 1, section: 1)])
  }

  override func numberOfSections(in collectionView: UICollectionView) -> Int { sections.count }
  override func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { sections[section].count }
  override func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    collectionView.dequeueConfiguredReusableCell(
      using: cells, for: indexPath, item: sections[indexPath.section][indexPath.item])
  }

  override func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { true }
  override func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    let title = sections[sourceIndexPath.section].remove(at: sourceIndexPath.item)
    sections[destinationIndexPath.section].insert(title, at: destinationIndexPath.item)
  }

  override func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) { done.append("Open \(sections[indexPath.section][indexPath.item])") }
}
