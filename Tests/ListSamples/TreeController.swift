import Foundation
import ListKit
import ListSnapshots

/// A tree of three levels.
public final class TreeController: UICollectionViewController {
  public static let items = ["Fruit", "Herbs", "Salt", "Apple", "Pear", "Cox", "Mint"]
  private var source: UICollectionViewDiffableDataSource<Int, String>?
  /// The titles that were chosen, one after the other.
  public private(set) var chosen: [String] = []

  public init() {
    super.init(
      collectionViewLayout: UICollectionViewCompositionalLayout.list(
        using: UICollectionLayoutListConfiguration(appearance: .plain)))
    title = "Larder"
  }

  public required init?(coder: NSCoder) { nil }

  public override func viewDidLoad() {
    super.viewDidLoad()
    var tree = NSDiffableDataSourceSectionSnapshot<String>()
    tree.append(["Fruit", "Herbs", "Salt"])
    tree.append(["Apple", "Pear"], to: "Fruit")
    tree.append(["Cox"], to: "Apple")
    tree.append(["Mint"], to: "Herbs")
    let opening = Set(tree.items.filter { !tree.snapshot(of: $0).items.isEmpty })
    let cells = UICollectionView.CellRegistration<UICollectionViewListCell, String> {
      cell, _, title in
      var content = cell.defaultContentConfiguration()
      content.text = title
      cell.contentConfiguration = content
      cell.accessories = opening.contains(title) ? [.outlineDisclosure()] : []
    }
    source = UICollectionViewDiffableDataSource(collectionView: collectionView) {
      view, path, item in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    }
    source?.apply(tree, to: 0)
  }

  public override func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) { chosen += [source?.itemIdentifier(for: indexPath)].compactMap(\.self) }
}
