struct Light { float3 at; };
float4 shade(float4 n) {
  return n;
}
