import Foundation
import ProjectPorter

/// The parsed arguments.
struct Arguments {
  static let usage = """
    usage: swift package port PATH [--check | --build] [--output FOLDER] [--opencoredata PATH-or-URL] [--with-package NAME-or-FOLDER]… [--with-module NAME=FOLDER]… [--condition NAME]… [--without TARGET]… [--report FILE]
      PATH            an .xcodeproj, an .xcworkspace, a Package.swift, a .podspec, or a folder with one of them
      --check         only says what would be built and what not; status 1 where a source that imports Core Data is left
                      out, where one that is built cannot be rewritten, or where a package that was written before is not what would be written now
      --build         builds the package too, tests included, and leaves out what the compiler refuses, until all of it builds
      --output        the folder of the package: Linux beside the project
      --opencoredata  where OpenCoreData is: this copy of it
      --with-package  a package of the project that builds on Linux though it is not known to; or the folder of one that uses
                      Core Data itself, and is ported too
      --with-module   a folder with Swift sources that stand in for a module, as in HealthKit=Health
      --condition     what holds in each #if: a name, or a platform whose branch Linux takes, as in 'os(macOS)'
      --without       a target that is not wanted: tests of several targets with classes of one name cannot be one program
      --report        where the whole report goes if it has more than forty lines: port-report.txt in the package
    """

  var path: URL
  var options: Porting.Options
  var isCheck = false
  var isBuild = false
  var report: URL?

  init(_ arguments: some Sequence<String>) throws {
    var paths: [String] = []
    options = Porting.Options(openCoreData: "")
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else {
          throw PortError("\(argument) needs a value\n\(Self.usage)")
        }
        return value
      }
      switch argument {
      case "--help", "-h":
        print(Self.usage)
        exit(0)
      case "--check": isCheck = true
      case "--build": isBuild = true
      case "--output": options.output = URL(fileURLWithPath: try value())
      case "--opencoredata": options.openCoreData = try value()
      case "--without": options.without.insert(try value())
      case "--condition": options.conditions.append(try value())
      case "--report": report = URL(fileURLWithPath: try value())
      case "--with-module":
        let module = try value()
        let parts = module.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
          throw PortError("--with-module \(module): expected NAME=FOLDER\n\(Self.usage)")
        }
        options.modules[parts[0]] = URL(fileURLWithPath: parts[1])
      case "--with-package":
        let package = try value()
        if package.contains("/") || package == "." {
          options.packageFolders.append(URL(fileURLWithPath: package))
        } else {
          options.packages.insert(package)
        }
      case _ where argument.hasPrefix("-"):
        throw PortError("\(argument) is not known\n\(Self.usage)")
      default: paths.append(argument)
      }
    }
    guard paths.count == 1 else {
      throw PortError("expected one path, found \(paths.count)\n\(Self.usage)")
    }
    if isCheck, isBuild {
      throw PortError(
        "--check writes nothing, and --build builds what is written: name one of them")
    }
    path = URL(fileURLWithPath: paths[0])
    if options.openCoreData.isEmpty {
      options.openCoreData = try Self.thisPackage()
    }
  }

  /// The folder of the package in which this program was built.
  private static func thisPackage() throws -> String {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.pathComponents.count > 1 {
      if FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("Package.swift").path)
      {
        return folder.path
      }
      folder.deleteLastPathComponent()
    }
    throw PortError(
      "the package OpenCoreData is not where it was built; name it with --opencoredata")
  }
}
