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

  @Test(arguments: [1, 2, 3, 4, 6, 7])
  func aShareOfTheWidthIsThatManyColumns(count: Int) {
    let item = NSCollectionLayoutItem(
      layoutSize: size(.fractionalWidth(1 / CGFloat(count)), .fractionalHeight(1)))
    let whole = size(.fractionalWidth(1), .absolute(80))
    let group = NSCollectionLayoutGroup.horizontal(layoutSize: whole, subitems: [item])
    group.interItemSpacing = .fixed(6)
    let grid = grid(group, lines: 4)
    #expect(grid?.columnCount(in: 1_000) == count)
    #expect(grid?.height == .points(80))
    #expect(grid?.itemSpacing == 6 && grid?.lineSpacing == 4)
    let repeated = NSCollectionLayoutGroup.horizontal(
      layoutSize: whole, repeatingSubitem: item, count: count)
    #expect(self.grid(repeated)?.columnCount(in: 1_000) == count)
  }

  @Test func columnsMayDifferAndSquaresFollowTheWidth() {
    let items = [0.75, 0.25].map {
      NSCollectionLayoutItem(layoutSize: size(.fractionalWidth($0), .fractionalHeight(1)))
    }
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .fractionalWidth(0.25)), subitems: items)
    #expect(grid(group)?.columns == .shares([0.75, 0.25]))
    #expect(grid(group)?.height == .widthShare(0.25))
  }

  @Test func asManyColumnsAsFit() {
    let item = NSCollectionLayoutItem(layoutSize: size(.absolute(100), .estimated(44)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .estimated(44)), subitems: [item])
    group.interItemSpacing = .fixed(10)
    // n columns take 110 n - 10.
    #expect(grid(group)?.columnCount(in: 319) == 2)
    #expect(grid(group)?.columnCount(in: 320) == 3)
    #expect(grid(group)?.columnCount(in: 5) == 1)
  }

  @Test func itemsOfAVerticalGroupShareItsHeight() {
    let item = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(1), .absolute(120)), repeatingSubitem: item, count: 3)
    #expect(grid(group)?.columns == .shares([1]))
    #expect(grid(group)?.height == .points(40))
  }

  @Test func aFlowLayoutAsksItsDelegateForEachSection() {
    let flow = UICollectionViewFlowLayout()
    flow.itemSize = CGSize(width: 90, height: 60)
    let view = UICollectionView(frame: .zero, collectionViewLayout: flow)
    #expect(view.grid(inSection: 0)?.columnCount(in: 200) == 2)
    #expect(!view.layout(ofSection: 0).hasHeader)
    let delegate = SizingDelegate()
    view.delegate = delegate
    flow.headerReferenceSize = CGSize(width: 0, height: 30)
    #expect(view.grid(inSection: 0)?.height == .points(60))
    #expect(view.grid(inSection: 1)?.height == .points(20))
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
    #expect(layout.layout(ofSection: 1).grid?.columnCount(in: 100) == 2)
  }
}

private final class SizingDelegate: UICollectionViewDelegateFlowLayout {
  func collectionView(
    _ view: UICollectionView, layout: UICollectionViewLayout, sizeForItemAt path: IndexPath
  ) -> CGSize { path.section == 0 ? CGSize(width: 90, height: 60) : CGSize(width: 20, height: 20) }
}
