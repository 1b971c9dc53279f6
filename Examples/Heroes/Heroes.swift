import ArgumentParser
import ListApplication

/// A league of heroes, in two orders.
@main
struct Heroes: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heroes", abstract: "Heroes in two orders on a Core Data store.")

  @OptionGroup var options: ApplicationOptions

  @MainActor
  func run() async throws {
    let application = Application(name: "Heroes", bundle: .module) { context in
      HeroesTabBarController(context: context)
    }
    try await application.run(options, fill: League.fill)
  }
}
