struct Point { int x; };
__global__ void add(int *a) {
    a[0] = 1;
}
