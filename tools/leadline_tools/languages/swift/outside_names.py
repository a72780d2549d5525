"""Names of types that modules from outside declare, and that modules of applications often declare, too.

Where a file imports both, the compiler chooses by how the name is used: https://developer.apple.com/documentation/swiftui
and https://developer.apple.com/documentation/foundation.
"""

from __future__ import annotations

_FOUNDATION = frozenset(
    (
        "Bundle Calendar Data Date Decimal Dimension Formatter Host Locale Measurement Notification Operation Port"
        " Predicate Process Progress Scanner Stream Thread TimeZone Timer URL UUID Unit"
    ).split()
)
_SWIFT_UI = frozenset(
    (
        "Alignment Anchor Angle Animation Axis Binding Button Canvas Capsule Circle Color Divider Edge Ellipse"
        " Environment Font ForEach Form Gauge Gradient Grid Group Image Label Layout Link List Material Menu Namespace"
        " Path Picker Preview Rectangle Scene Section Settings Shape Slider Spacer State Stepper Tab TabView Table Text"
        " Toggle Transaction View Visibility Window"
    ).split()
)

NAMES_OF_MODULES = {
    "AppKit": _FOUNDATION,
    "Foundation": _FOUNDATION,
    "SwiftUI": _FOUNDATION | _SWIFT_UI,
    "UIKit": _FOUNDATION,
}
