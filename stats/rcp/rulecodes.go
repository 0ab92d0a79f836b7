package rcp

import (
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

// returnCodes reports calls of OpenCL that failed.
func (a *Analysis) returnCodes() *findings {
	f := &findings{rule: "RetCodeAnalyzer"}
	if !a.on(f.rule) {
		return nil
	}
	a.each(amd.OpenCL, func(c *call) {
		n := c.role.errArg
		if c.role == noRole {
			n = -1
		}
		if n == -2 {
			return
		}
		code := c.result()
		if n >= 0 {
			x := a.text(amd.OpenCL, c)
			if n >= len(x.args) {
				return
			}
			if code = strings.TrimSpace(x.args[n]); code == "NULL" {
				return // the application did not ask
			}
			if !a.o.Compat {
				code = strings.Trim(code, "[]")
			}
		}
		if a.failed(code) {
			f.add(c, isError, c.name+" returns "+code)
		}
	})
	return f
}

// failed reports whether a code is not that of success.
func (a *Analysis) failed(code string) bool {
	if a.o.Compat {
		return !strings.Contains(code, "CL_SUCCESS")
	}
	if code == "" || strings.HasPrefix(code, "0x") || code == "NULL" {
		return false // a call cut short, or an API unknown here that returns a handle
	}
	return code != "CL_SUCCESS"
}

// deprecations reports calls of APIs that OpenCL has replaced.
func (a *Analysis) deprecations() *findings {
	f := &findings{rule: "DeprecatedFunctionAnalyzer"}
	if !a.on(f.rule) {
		return nil
	}
	a.each(amd.OpenCL, func(c *call) {
		if c.role.instead != "" {
			f.add(c, isWarning, c.name+" is deprecated. It is suggested that "+c.role.instead)
		}
	})
	return f
}

// hsaReturnCodes reports calls of HSA that failed.
func (a *Analysis) hsaReturnCodes() *findings {
	f := &findings{rule: "HSARetCodeAnalyzer"}
	if !a.on(f.rule) {
		return nil
	}
	a.each(amd.HSA, func(c *call) {
		if c.role.hsa != nil && c.role.hsa.noStatus {
			return
		}
		code := c.result()
		if code == "HSA_STATUS_SUCCESS" || code == "HSA_STATUS_INFO_BREAK" {
			return
		}
		if !a.o.Compat && !strings.HasPrefix(code, "HSA_STATUS_") {
			return // an API that returns something else
		}
		f.add(c, isError, strings.TrimSpace(c.name+" returns "+code))
	})
	return f
}
