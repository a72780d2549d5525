pub fn total(x: Int) -> Int {
  x
}
