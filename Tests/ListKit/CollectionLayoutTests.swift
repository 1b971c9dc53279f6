import Foundation
import Testing

@testable import ListKit

/// What a layout says of a section, for renderers that know their width.
@MainActor
@Suite struct CollectionLayoutTests {
  private func size(
    _ width: NSCollectionLayoutDimension, _ height: NSCollectionLayoutDimension
  ) -> NSCollectionLayoutSize {
    NSCollectionLayoutSize(widthDimension: width, heightDimension: height)
  }

  private func grid(_ group: NSCollectionLayoutGroup, lines: CGFloat = 0) -> ListGrid? {
    let section = NSCollectionLayoutSection(group: group)
    section.interGroupSpacing = lines
    return UICollectionViewCompositionalLayout(section: section).layout(ofSection: 0).grid
  }

  private func frames(_ grid: ListGrid?, width: CGFloat = 1_000) -> [CGRect] {
    grid?.pattern(in: CGSize(width: width, height: 600)).frames ?? []
  }

  private func size(of grid: ListGrid?, width: CGFloat = 1_000) -> CGSize {
    grid?.pattern(in: CGSize(width: width, height: 600)).size ?? .zero
  }

  @Test(arguments: [1, 2, 3, 4, 6, 7])
  func aShareOfTheWidthIsThatManyColumns(count: Int) {
    let item = NSCollectionLayoutItem(
      layoutSize: size(.fractionalWidth(1 / CGFloat(count)), .fractionalHeight(1)))
    let whole = size(.fractionalWidth(1), .absolute(80))
    let group = NSCollectionLayoutGroup.horizontal(layoutSize: whole, subitems: [item])
    group.interItemSpacing = .fixed(6)
    let grid = grid(group, lines: 4)
    #expect(frames(grid).count == count)
    #expect(size(of: grid).height == 80 && grid?.spacing == 4)
    // The space between items is taken off before the shares are given out.
    let each = (1_000 - 6 * CGFloat(count - 1)) / CGFloat(count)
    for (column, frame) in frames(grid).enumerated() {
      #expect(abs(frame.minX - CGFloat(column) * (each + 6)) < 0.001)
      #expect(abs(frame.width - each) < 0.001 && frame.height == 80)
    }
    let repeated = NSCollectionLayoutGroup.horizontal(
      layoutSize: whole, repeatingSubitem: item, count: count)
    #expect(frames(self.grid(repeated)).count == count)
  }

  @Test func columnsMayDifferAndSquaresFollowTheWidth() {
    let items = [0.75, 0.25].map {
      NSCollectionLayoutItem(layoutSize: size(.fractionalWidth($0), .fractionalHeight(1)))
    }
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .fractionalWidth(0.25)), subitems: items)
    #expect(frames(grid(group)).map(\.width) == [750, 250])
    #expect(size(of: grid(group)).height == 250)
  }

  @Test func asManyColumnsAsFit() {
    let item = NSCollectionLayoutItem(layoutSize: size(.absolute(100), .estimated(44)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .estimated(44)), subitems: [item])
    group.interItemSpacing = .fixed(10)
    // n columns take 110 n - 10.
    #expect(frames(grid(group), width: 319).count == 2)
    #expect(frames(grid(group), width: 320).count == 3)
    #expect(frames(grid(group), width: 5).count == 1)
  }

  @Test func itemsOfAVerticalGroupShareItsHeight() {
    let item = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(1), .absolute(120)), repeatingSubitem: item, count: 3)
    #expect(
      frames(grid(group)) == [0, 40, 80].map { CGRect(x: 0, y: $0, width: 1_000, height: 40) })
  }

  @Test func aFlowLayoutAsksItsDelegateForEachSection() {
    let flow = UICollectionViewFlowLayout()
    flow.itemSize = CGSize(width: 90, height: 60)
    flow.sectionInset = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    let view = UICollectionView(frame: .zero, collectionViewLayout: flow)
    #expect(frames(view.grid(inSection: 0), width: 200).count == 2)
    #expect(!view.layout(ofSection: 0).hasHeader)
    let delegate = SizingDelegate()
    view.delegate = delegate
    flow.headerReferenceSize = CGSize(width: 0, height: 30)
    #expect(size(of: view.grid(inSection: 0)).height == 60)
    #expect(size(of: view.grid(inSection: 1)).height == 20)
    #expect(view.grid(inSection: 0)?.insets == .init(top: 1, leading: 2, bottom: 3, trailing: 4))
    #expect(view.layout(ofSection: 1).hasHeader)
  }

  @Test func sectionsMayDiffer() {
    let item = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .absolute(50)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(50)), subitems: [item])
    let layout = UICollectionViewCompositionalLayout { section, environment in
      section == 0
        ? NSCollectionLayoutSection.list(
          using: UICollectionLayoutListConfiguration(appearance: .plain),
          layoutEnvironment: environment)
        : NSCollectionLayoutSection(group: group)
    }
    #expect(layout.layout(ofSection: 0).grid == nil)
    #expect(frames(layout.layout(ofSection: 1).grid).count == 2)
  }
}

private final class SizingDelegate: UICollectionViewDelegateFlowLayout {
  func collectionView(
    _ view: UICollectionView, layout: UICollectionViewLayout, sizeForItemAt path: IndexPath
  ) -> CGSize { path.section == 0 ? CGSize(width: 90, height: 60) : CGSize(width: 20, height: 20) }
}
