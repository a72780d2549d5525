module shop;
class Basket {
    int total() { return 1; }
}
struct Point { int x; }
