struct Light { at: vec3<f32>, };
fn shade(n: vec3<f32>) -> vec3<f32> {
  return n;
}
