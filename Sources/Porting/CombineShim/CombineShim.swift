#if Shims
  @_exported import OpenCombine
  @_exported import OpenCombineDispatch
  @_exported import OpenCombineFoundation
#else
  #error(
    "CombineShim needs the trait Shims. Here: make, or swift build --traits Shims. In a package: .package(url: …, traits: [\"Shims\"])."
  )
#endif
