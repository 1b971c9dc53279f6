import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// A choice of layouts.
final class LookViewController: UITableViewController {
  private let current: GoodsLayout
  private let choose: @MainActor (GoodsLayout) -> Void

  init(current: GoodsLayout, choose: @escaping @MainActor (GoodsLayout) -> Void) {
    self.current = current
    self.choose = choose
    super.init(style: .plain)
    title = "Look"
    preferredContentSize = CGSize(width: 240, height: 160)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "Look")
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    GoodsLayout.allCases.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "Look", for: indexPath)
    let layout = GoodsLayout.allCases[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = layout.rawValue
    cell.contentConfiguration = content
    cell.accessoryType = layout == current ? .checkmark : .none
    return cell
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    dismiss(animated: true)
    choose(GoodsLayout.allCases[indexPath.row])
  }
}
