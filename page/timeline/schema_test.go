package timeline

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

func schemaText(t *testing.T, values map[string][]string, args ...string) (string, error) {
	t.Helper()
	q := &page.Request{Args: args, Format: view.FormatText, Values: values}
	d, err := Schema.Do(context.Background(), q)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatText, q.ViewOptions()); err != nil {
		t.Fatal(err)
	}
	return b.String(), nil
}

func TestSchema(t *testing.T) {
	for _, c := range []struct {
		args   []string
		values map[string][]string
		want   []string
		not    string
	}{
		{want: []string{"CUPTI_ACTIVITY_KIND_KERNEL", "ENUM_CUDA_MEMCPY_OPER", "FECS_EVENTS"}},
		{args: []string{"stringids"}, want: []string{"PRIMARY KEY", "value", "2021-"}},
		{args: []string{"ENUM_CUDA_MEM*"}, want: []string{"Device-to-Host", "Pinned"}},
		{values: pagetest.Options("schema", "3.25.0"), want: []string{"CUDA_GRAPH_NODE_EVENTS"}, not: "FECS_EVENTS"},
		{values: pagetest.Options("schema", "2021"), args: []string{"CUPTI_ACTIVITY_KIND_KERNEL"}, want: []string{"gridX"}, not: "greenContextId"},
	} {
		got, err := schemaText(t, c.values, c.args...)
		if err != nil {
			t.Errorf("%v: %v", c.args, err)
		}
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%v %v: no %q", c.args, c.values, w)
			}
		}
		if c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%v %v: there is %q", c.args, c.values, c.not)
		}
	}
	if _, err := schemaText(t, nil, "NO_SUCH"); !errors.Is(err, page.ErrUsage) {
		t.Errorf("an unknown table: %v", err)
	}
}
