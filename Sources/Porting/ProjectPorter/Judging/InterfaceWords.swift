/// Type names of user interface frameworks. Many sources import UIKit only for the Foundation that
/// it re-exports; such a source is built, and its copy imports Foundation instead.
enum InterfaceWords {
  /// Modules whose import is replaced by Foundation if the file uses none of their types that
  /// Foundation lacks here.
  static let replacedModules: Set<String> = [
    "UIKit", "AppKit", "Cocoa", "SwiftUI", "WatchKit", "ObjectiveC", "Darwin", "CoreGraphics",
    "QuartzCore", "CoreFoundation",
  ]

  /// Returns true if a word that may be a type belongs to the module.
  static func isInterface(_ word: String, of module: String) -> Bool {
    switch module {
    case "UIKit": isUIKit(word)
    case "WatchKit": isUIKit(word) || word.hasPrefix("WK")
    case "AppKit", "Cocoa": isAppKit(word)
    case "CoreGraphics", "QuartzCore": isDrawing(word) || isAnimation(word)
    case "CoreFoundation": isPrefixed(word, prefix: "CF") && !ofFoundationSupport.contains(word)
    case "SwiftUI": swiftUI.contains(word) || isUIKit(word) || isAppKit(word)
    default: false
    }
  }

  /// Matches `UIColor` but not `UInt`; names of the project's own such as `UIDisplayed…` are
  /// recognised by their declarations.
  private static func isPrefixed(_ word: String, prefix: String) -> Bool {
    word.hasPrefix(prefix) && word.dropFirst(prefix.count).first?.isUppercase == true
  }

  private static func isUIKit(_ word: String) -> Bool {
    isPrefixed(word, prefix: "UI") && !ofFoundationSupport.contains(word) || isAnimation(word)
      || common.contains(word)
  }

  /// Matches `CALayer` but not `CAGEMaxHours`: a project's own names may begin with `CA` too.
  private static func isAnimation(_ word: String) -> Bool {
    word.hasPrefix("CA") && animation.contains { word.dropFirst(2).hasPrefix($0) }
  }

  private static let animation = [
    "Animation", "BasicAnimation", "DisplayLink", "EAGLLayer", "Emitter", "FrameRateRange",
    "GradientLayer", "KeyframeAnimation", "Layer", "MediaTiming", "MetalLayer", "PropertyAnimation",
    "ReplicatorLayer", "ScrollLayer", "ShapeLayer", "SpringAnimation", "TextLayer", "TiledLayer",
    "Transaction", "TransformLayer", "Transform3D", "Transition", "ValueFunction",
  ]

  /// Matches Core Graphics types except those that Foundation has on Linux.
  private static func isDrawing(_ word: String) -> Bool {
    isPrefixed(word, prefix: "CG")
      && !["CGFloat", "CGPoint", "CGRect", "CGRectEdge", "CGSize"].contains(word)
  }

  private static let ofFoundationSupport: Set<String> = [
    "CFAbsoluteTime", "CFAbsoluteTimeGetCurrent", "CFTimeInterval",
    "CFAllocator", "CFIndex", "CFOptionFlags",
    "CFRunLoop", "CFRunLoopActivity", "CFRunLoopAddObserver", "CFRunLoopContainsObserver",
    "CFRunLoopGetCurrent", "CFRunLoopGetMain", "CFRunLoopMode", "CFRunLoopObserver",
    "CFRunLoopObserverCreateWithHandler", "CFRunLoopObserverInvalidate", "CFRunLoopObserverIsValid",
    "CFRunLoopRemoveObserver", "CFRunLoopRun", "CFRunLoopStop", "CFRunLoopWakeUp",
    "UIImage",
  ]

  private static func isAppKit(_ word: String) -> Bool {
    if isAnimation(word) || common.contains(word) { return true }
    guard word.hasPrefix("NS") else { return false }
    return appKit.contains { word.dropFirst(2).hasPrefix($0) } || word == "NSApp"
  }

  /// Types of both UIKit and AppKit; Foundation has some of them on Apple's systems.
  private static let common: Set<String> = [
    "NSLayoutConstraint", "NSLayoutManager", "NSLayoutAnchor", "NSTextAttachment", "NSTextStorage",
    "NSTextContainer",
    "NSParagraphStyle", "NSMutableParagraphStyle", "NSShadow", "NSDirectionalEdgeInsets",
    "NSItemProvider",
    "NSUserActivity", "NSTextAlignment", "NSLineBreakMode", "NSUnderlineStyle", "NSDataAsset",
    "NSCollectionLayoutSection", "NSCollectionLayoutItem", "NSCollectionLayoutSize",
    "NSCollectionLayoutGroup",
    "CGColor", "CGImage", "CGContext", "CGPath", "CGMutablePath", "CGColorSpace", "CGGradient",
    "CGAffineTransform",
    "CGDataProvider", "CIImage", "CIFilter", "CIContext", "OpenURLOptionsKey",
  ]

  /// Prefixes of AppKit type names, without `NS`.
  private static let appKit = [
    "Alert", "Animation", "Application", "ArrayController", "Bezier", "BitmapImage", "Box",
    "Browser", "Button", "Cell",
    "Click", "CollectionView", "Color", "ComboBox", "Control", "Cursor", "DatePicker", "DockTile",
    "Document", "Dragging",
    "Event", "Font", "Gesture", "Graphics", "Hosting", "Image", "Level", "LayoutGuide",
    "MagnificationG", "Menu", "Nib",
    "ObjectController", "OpenPanel", "Outline", "Panel", "PanG", "Pasteboard", "PathControl",
    "PopUp", "Popover", "Print",
    "ProgressIndicator", "Responder", "RunningApplication", "SavePanel", "Screen", "Scroll",
    "Search", "Secure",
    "Segmented", "Slider", "Sound", "SplitView", "StackView", "StatusBar", "StatusItem", "Stepper",
    "Storyboard",
    "Switch", "TabView", "TableCell", "TableColumn", "TableRow", "TableView", "TextField",
    "TextView", "Titlebar",
    "Token", "Toolbar", "Touch", "TrackingArea", "TreeController", "TreeNode", "UserInterface",
    "View", "VisualEffect",
    "Window", "Workspace",
  ]

  /// Names of other modules that Foundation, SwiftUI and MapKit re-export, by module.
  static let broughtAlong: [String: Set<String>] = [
    "Combine": [
      "AnyCancellable", "AnyPublisher", "Cancellable", "CurrentValueSubject", "Future", "Just",
      "ObservableObject", "ObservableObjectPublisher", "PassthroughSubject", "Published",
    ],
    "CoreLocation": [
      "CLAccuracyAuthorization", "CLActivityType", "CLAuthorizationStatus", "CLCircularRegion",
      "CLError", "CLFloor", "CLGeocoder", "CLHeading", "CLLocation", "CLLocationAccuracy",
      "CLLocationCoordinate2D", "CLLocationCoordinate2DIsValid", "CLLocationCoordinate2DMake",
      "CLLocationDegrees", "CLLocationDirection", "CLLocationDirectionAccuracy",
      "CLLocationDistance", "CLLocationDistanceMax", "CLLocationManager",
      "CLLocationManagerDelegate", "CLLocationSpeed", "CLLocationSpeedAccuracy", "CLPlacemark",
      "CLRegion", "CLRegionState", "CLTimeIntervalMax", "CLVisit", "kCLDistanceFilterNone",
      "kCLErrorDomain", "kCLLocationAccuracyBest", "kCLLocationAccuracyBestForNavigation",
      "kCLLocationAccuracyHundredMeters", "kCLLocationAccuracyKilometer",
      "kCLLocationAccuracyNearestTenMeters", "kCLLocationAccuracyReduced",
      "kCLLocationAccuracyThreeKilometers", "kCLLocationCoordinate2DInvalid",
    ],
    "Observation": [
      "Observable", "ObservationIgnored", "ObservationRegistrar", "ObservationTracked",
      "Observations", "withObservationTracking",
    ],
    "Security": SecurityWords.functions,
  ]

  /// Returns true if the word is a type of another module that comes along with such an import.
  static func isBroughtAlong(_ word: String) -> Bool {
    broughtAlong.values.contains { $0.contains(word) }
  }

  private static let swiftUI: Set<String> = [
    "AccessibilityFocusState", "ActionSheet", "Alert", "Alignment", "Angle",
    "AnyLayout", "AnyShape",
    "AnyTransition", "AnyView", "App", "AppStorage", "AsyncImage", "Axis", "Bindable", "Binding",
    "BindingConvertible",
    "Button", "ButtonStyle", "Canvas", "Capsule", "Circle", "Color", "ColorPicker", "ColorScheme",
    "Commands",
    "ContentMode", "ContentSizeCategory", "ContentUnavailableView", "CoordinateSpace", "DatePicker",
    "DisclosureGroup", "DismissAction", "Divider", "DragGesture", "DynamicProperty",
    "DynamicTypeSize", "Edge",
    "EdgeInsets", "EditButton", "EditMode", "Ellipse", "EmptyView", "Entry", "Environment",
    "EnvironmentKey", "EnvironmentObject",
    "EnvironmentValues", "EquatableView", "FetchRequest", "FetchedResults", "FocusState",
    "FocusedBinding",
    "FocusedValue", "Font", "ForEach", "Form", "GeometryProxy", "GeometryReader", "Gesture",
    "GestureState", "Gradient",
    "Grid", "GridItem", "Group", "GroupBox", "HStack", "HorizontalAlignment", "Image",
    "InsettableShape", "KeyEquivalent",
    "Label", "LabelStyle", "LabeledContent", "Layout", "LayoutDirection", "LazyHGrid", "LazyHStack",
    "LazyVGrid", "LazyVStack",
    "LinearGradient", "Link", "List", "LongPressGesture", "Material", "Menu",
    "MoveCommandDirection",
    "Namespace", "NavigationLink", "NavigationPath", "NavigationSplitView", "NavigationStack",
    "NavigationView",
    "ObservedObject", "OpenURLAction", "OutlineGroup", "Path", "Picker", "PinnedScrollableViews",
    "PopoverAttachmentAnchor",
    "PreferenceKey", "Preview", "PreviewProvider", "PrimitiveButtonStyle", "ProgressView",
    "ProgressViewStyle",
    "ProjectionTransform", "RadialGradient", "Rectangle", "RedactionReasons", "RefreshAction",
    "RotationGesture",
    "RoundedRectangle", "Scene", "ScenePhase", "SceneStorage", "ScrollView", "ScrollViewProxy",
    "ScrollViewReader",
    "Section", "SectionedFetchRequest", "SectionedFetchResults", "SecureField", "Settings", "Shape",
    "ShapeStyle",
    "ShareLink", "Slider", "Spacer", "State", "StateObject", "Stepper", "StrokeStyle",
    "SubmitLabel", "SwiftUI", "Tab",
    "TabView", "Table", "TapGesture", "Text", "TextAlignment", "TextEditor", "TextField",
    "TextFieldStyle",
    "TimelineView", "ToggleStyle", "Toggle", "ToolbarContent", "ToolbarItem", "ToolbarItemGroup",
    "ToolbarItemPlacement",
    "Transaction", "Transferable", "TransferRepresentation", "Transition", "UIHostingController",
    "UIViewControllerRepresentable", "UIViewRepresentable", "UnitPoint", "UserInterfaceSizeClass",
    "VStack",
    "VerticalAlignment", "View", "ViewBuilder", "ViewDimensions", "ViewModifier", "ViewThatFits",
    "Visibility",
    "WindowGroup", "Window", "ZStack",
  ]
}
