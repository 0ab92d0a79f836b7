package rcp

import (
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

// returnCodes reports calls of OpenCL that failed.
func (a *Analysis) returnCodes() (*findings, rule) {
	f := &findings{rule: "RetCodeAnalyzer"}
	if !a.on(f.rule) {
		return nil, rule{}
	}
	return f, rule{func(r *role) bool { return r == noRole || r.errArg != -2 }, func(c *call) {
		n := c.role.errArg
		if c.role == noRole {
			n = -1
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
			f.add(c.site, isError, c.name+" returns "+code)
		}
	}}
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
func (a *Analysis) deprecations() (*findings, rule) {
	f := &findings{rule: "DeprecatedFunctionAnalyzer"}
	if !a.on(f.rule) {
		return nil, rule{}
	}
	return f, rule{func(r *role) bool { return r.instead != "" }, func(c *call) {
		f.add(c.site, isWarning, c.name+" is deprecated. It is suggested that "+c.role.instead)
	}}
}

// hsaReturnCodes reports calls of HSA that failed.
func (a *Analysis) hsaReturnCodes() (*findings, rule) {
	f := &findings{rule: "HSARetCodeAnalyzer"}
	if !a.on(f.rule) {
		return nil, rule{}
	}
	return f, rule{func(r *role) bool { return r.hsa == nil || !r.hsa.noStatus }, func(c *call) {
		code := c.result()
		if code == "HSA_STATUS_SUCCESS" || code == "HSA_STATUS_INFO_BREAK" {
			return
		}
		if !a.o.Compat && !strings.HasPrefix(code, "HSA_STATUS_") {
			return // an API that returns something else
		}
		f.add(c.site, isError, strings.TrimSpace(c.name+" returns "+code))
	}}
}
