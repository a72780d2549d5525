class Basket {
  int total() {
    return 1;
  }
}
enum Colour { red, green }
