import CoreData

// Foundation has classes of these names too.
typealias NSExpression = CoreData.NSExpression
typealias NSPredicate = CoreData.NSPredicate
typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
typealias NSCompoundPredicate = CoreData.NSCompoundPredicate
