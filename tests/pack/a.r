total <- function(a) { inner <- 1; a }
1 -> limit
Point <- setClass("Point", representation(x = "numeric"))
setMethod("area", "Point", function(s) 1)
