package page

import "github.com/gpuprof/gpuprof/view"

func (d *details) csv(launches []launch) (*view.Document, error) { return nil, Usagef("not yet") }

func (d *details) summary(launches []launch) (*view.Document, error) { return nil, Usagef("not yet") }
