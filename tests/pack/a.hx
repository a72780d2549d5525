class Basket {
  function total():Int {
    return 1;
  }
}
