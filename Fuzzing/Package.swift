// swift-tools-version: 6.2
import PackageDescription

// Built by Scripts/fuzz-stores alone, with the sanitizers that libFuzzer needs.
let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "OpenCoreData", path: "..")],
  targets: [
    .executableTarget(
      name: "StoreFuzzer", dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
      // The default linker fails on the sanitizers' sections.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])])
  ],
  swiftLanguageModes: [.v6])
