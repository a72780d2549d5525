struct Basket {
  1: i32 total
}
service Shop {
  i32 buy(1: Basket b)
}
