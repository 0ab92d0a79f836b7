from setuptools import setup

setup(
    name="gpuprof-ncu-report",
    version="0.1",
    description="Read Nsight Compute reports with gpuprof",
    license="Apache-2.0",
    python_requires=">=3.6",
    py_modules=["ncu_occupancy", "ncu_report", "gpuprof_nvtx", "gpuprof_report", "gpuprof_results", "gpuprof_values", "gpuprof_wire"],
)
