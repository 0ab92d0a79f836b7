package examples

// sourceText is the program that the model pretends to run. The lines of the
// kernels' instructions refer to it.
const sourceText = `// A matrix is transposed in two ways, then summed.
#include <cuda_runtime.h>

constexpr int tile = 32;

// Reads rows and writes columns: every store of a warp goes to 32 rows.
__global__ void transpose_naive(const float *in, float *out, int n)
{
    const int x = blockIdx.x * tile + threadIdx.x;
    const int y = blockIdx.y * tile + threadIdx.y;
    if (x < n && y < n)
        out[x * n + y] = in[y * n + x];
}

// Goes through shared memory; the extra column keeps banks apart.
__global__ void transpose_tiled(const float *in, float *out, int n)
{
    __shared__ float t[tile][tile + 1];
    int x = blockIdx.x * tile + threadIdx.x;
    int y = blockIdx.y * tile + threadIdx.y;
    if (x < n && y < n)
        t[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x;
    y = blockIdx.x * tile + threadIdx.y;
    if (x < n && y < n) out[y * n + x] = t[threadIdx.x][threadIdx.y];
}

// Sums 1024 numbers a block.
__global__ void block_sum(const float *in, float *out, int n)
{
    __shared__ float part[256];
    const int i = blockIdx.x * 1024 + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 1024; k += 256) s += in[i + k];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
`
