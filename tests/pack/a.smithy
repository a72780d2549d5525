$version: "2.0"
namespace shop
structure Basket {
  total: Integer
}
