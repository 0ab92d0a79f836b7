package rcp

import (
	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/view"
)

// A Page is one of the summary pages.
type Page struct {
	Name  string // as in the names of AMD's files
	Title string
	List  bool // has a row for every command
	build func(*Analysis) (*view.Table, []string)
}

// Pages are all pages, in order.
func Pages() []Page {
	return []Page{
		{Name: "CLAPISummary", Title: "OpenCL API Summary", build: plain(func(a *Analysis) *view.Table { return a.apiSummary(amd.OpenCL) })},
		{Name: "CLContextSummary", Title: "OpenCL Context Summary", build: plain((*Analysis).contextSummary)},
		{Name: "CLKernelSummary", Title: "OpenCL Kernel Summary", build: plain(func(a *Analysis) *view.Table { return a.kernelSummary(amd.OpenCL) })},
		{Name: "CLTop10KernelSummary", Title: "OpenCL Top 10 Kernels", build: plain(func(a *Analysis) *view.Table { return a.kernelList(amd.OpenCL, a.top()) })},
		{Name: "CLKernelSummaryList", List: true, Title: "OpenCL Kernels", build: plain(func(a *Analysis) *view.Table { return a.kernelList(amd.OpenCL, 0) })},
		{Name: "CLTop10DataTransferSummary", Title: "OpenCL Top 10 Data Transfers", build: plain(func(a *Analysis) *view.Table { return a.transferList(amd.OpenCL, a.top()) })},
		{Name: "CLDataTransferList", List: true, Title: "OpenCL Data Transfers", build: plain(func(a *Analysis) *view.Table { return a.transferList(amd.OpenCL, 0) })},
		{Name: "CLDataTransferSummary", Title: "OpenCL Data Transfer Summary", build: plain(func(a *Analysis) *view.Table { return a.transferSummary(amd.OpenCL) })},
		{Name: "CLBestPractices", Title: "OpenCL Best Practices", build: func(a *Analysis) (*view.Table, []string) { return a.practices(amd.OpenCL) }},
		{Name: "HSAAPISummary", Title: "HSA API Summary", build: plain(func(a *Analysis) *view.Table { return a.apiSummary(amd.HSA) })},
		{Name: "HSAKernelSummary", Title: "HSA Kernel Summary", build: plain(func(a *Analysis) *view.Table { return a.kernelSummary(amd.HSA) })},
		{Name: "HSATop10KernelSummary", Title: "HSA Top 10 Kernels", build: plain(func(a *Analysis) *view.Table { return a.kernelList(amd.HSA, a.top()) })},
		{Name: "HSAKernelSummaryList", List: true, Title: "HSA Kernels", build: plain(func(a *Analysis) *view.Table { return a.kernelList(amd.HSA, 0) })},
		{Name: "HSATop10DataTransferSummary", Title: "HSA Top 10 Data Transfers", build: plain(func(a *Analysis) *view.Table { return a.transferList(amd.HSA, a.top()) })},
		{Name: "HSADataTransferList", List: true, Title: "HSA Data Transfers", build: plain(func(a *Analysis) *view.Table { return a.transferList(amd.HSA, 0) })},
		{Name: "HSADataTransferSummary", Title: "HSA Data Transfer Summary", build: plain(func(a *Analysis) *view.Table { return a.transferSummary(amd.HSA) })},
		{Name: "HSABestPractices", Title: "HSA Best Practices", build: func(a *Analysis) (*view.Table, []string) { return a.practices(amd.HSA) }},
	}
}

func plain(f func(*Analysis) *view.Table) func(*Analysis) (*view.Table, []string) {
	return func(a *Analysis) (*view.Table, []string) { return f(a), nil }
}

// lookup returns the page of a name.
func lookup(name string) (Page, bool) {
	for _, p := range Pages() {
		if p.Name == name {
			return p, true
		}
	}
	return Page{}, false
}

// page makes a page: nil where the trace holds nothing for it. notes are lines
// that stand below it.
func (a *Analysis) page(p Page) (t *view.Table, notes []string) {
	if t, notes = p.build(a); t != nil {
		t.ID = p.Name
	}
	return t, notes
}
