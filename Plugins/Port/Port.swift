import Foundation
import PackagePlugin

/// `swift package port PATH`: writes a package that builds the Core Data sources of a project made
/// for Xcode.
@main
struct Port: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "PortTool").url
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    // The tool has printed its errors. SwiftPM itself ends with status 1, whatever status this is.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }
}
