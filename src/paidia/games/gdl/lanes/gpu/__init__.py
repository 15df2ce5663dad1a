"""Lane programs on a GPU.

One thread has one 32-lane word of every plane, in registers; a warp is 1024 lanes in step. Two forms:

* straight: the program's operations as code, compiled by NVRTC (or nvcc): the fast one, up to some thousand operations;
* table: one kernel that reads operations from memory: for programs whose code would be too large to compile or to be fetched.

kernels    CUDA code that serves all games: planes to arrays, rewards, the table form
source     CUDA code of one program, the straight form
table      one program as a table
runner     both forms, compiled and run
vector     the vector environment

All but `table`, and what they import, need numpy and CuPy and no kernel of paidia: a machine with a GPU runs a program that
`LaneProgram.save` wrote (`portable.read_saved`) without building anything; benchmarks/lanes_gpu.py does.
"""
