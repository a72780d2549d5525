module Shop
struct Point
  x
end
function total(p)
  p.x
end
end
