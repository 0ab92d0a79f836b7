package load

import (
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
)

// ncuSession lists what the session page of Nsight Compute shows, in its order.
func ncuSession(s *ncurep.Session) profile.Session {
	var out profile.Session
	launch := func(name, value string) {
		if value != "" {
			out.Launch = append(out.Launch, profile.Attribute{Name: name, Value: value})
		}
	}
	info := func(name, value string) {
		if value != "" {
			out.Info = append(out.Info, profile.Attribute{Name: name, Value: value})
		}
	}
	launch("Profiler Command Line", s.CommandLine.Or(""))
	if t := s.CreationTime; t.Set {
		info("Created", time.Unix(int64(t.Value), 0).UTC().Format("2006-Jan-02 15:04:05"))
	}
	for _, m := range []struct {
		who string
		sys *ncurep.SystemInfo
	}{{"Host", s.Host}, {"Target", s.Target}} {
		if m.sys == nil {
			continue
		}
		var addrs []string
		for _, a := range m.sys.Addresses {
			addrs = append(addrs, a.Address)
		}
		info(m.who+" Name", m.sys.ComputerName.Or(""))
		info(m.who+" IP Addresses", strings.Join(addrs, ", "))
		os := m.sys.OSName.Or("")
		if b := m.sys.Build.Or(""); b != "" {
			os += " - " + b
		}
		info(m.who+" OS", os)
		info(m.who+" Architecture", m.sys.Architecture.Or(""))
		info(m.who+" Processor", m.sys.Processor.Or(""))
	}
	for _, v := range s.Versions {
		info(v.Provider, v.Version)
	}
	return out
}
