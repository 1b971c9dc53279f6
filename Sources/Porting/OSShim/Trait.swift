#if !Shims
  #error(
    "OSShim needs the trait Shims. Here: make, or swift build --traits Shims. In a package: .package(url: …, traits: [\"Shims\"])."
  )
#endif
