<?hh
class Basket {
  public function total(): int {
    return 1;
  }
}
