#if !Web
  #error(
    "ListWeb and the applications need the trait Web. Here: make, or swift build --traits Web. In a package: .package(url: …, traits: [\"Web\"])."
  )
#endif
