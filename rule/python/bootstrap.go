package python

// bootstrap is the program that the embedded interpreter begins with.
const bootstrap = `import sys
sys.path[:] = ["` + modulesDir + `", "/lib/python3.11"]
sys.argv[0] = ""
import gpuprof_guest
gpuprof_guest.main()`
