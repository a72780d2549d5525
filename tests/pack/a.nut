class Basket {
  function total() {
    return 1;
  }
}
