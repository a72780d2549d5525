struct Point {
    x: felt252,
}
fn area(p: Point) -> felt252 {
    p.x
}
