import Foundation
import PackagePlugin

/// `swift package port PATH`: writes a package that builds what a project made for Xcode has of Core Data.
@main
struct Port: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "PortTool").url
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    // What is wrong has been said; SwiftPM ends with a status of its own, 1.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }
}
