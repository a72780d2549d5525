module shop
struct Point { x int }
fn total(p Point) int {
	return p.x
}
