package fleet

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Kubernetes is the work as two jobs in YAML: an indexed one that maps and one that
// merges, to be made when the first is complete. The folder must lie on a volume
// claim of that name, mounted where it lies here. Its fields are read
// strictly into the types of batch/v1 by tools/peers; no cluster ran it.
func Kubernetes(f *Folder, image, claim string, tasks int) (string, error) {
	if tasks <= 0 {
		tasks = mostTasks
	}
	tasks = max(min(tasks, len(f.Plan.Shards)), 1)
	type m = map[string]any
	job := func(name string, spec m, command string) m {
		template := m{"spec": m{"restartPolicy": "Never",
			"containers": []m{{"name": "gpuprof", "image": image, "command": []string{"/bin/sh", "-c", command},
				"volumeMounts": []m{{"name": "work", "mountPath": f.Dir}}}},
			"volumes": []m{{"name": "work", "persistentVolumeClaim": m{"claimName": claim}}}}}
		spec["template"], spec["backoffLimit"] = template, 6
		return m{"apiVersion": "batch/v1", "kind": "Job", "metadata": m{"name": name}, "spec": spec}
	}
	id := "gpuprof-" + f.Plan.Digest()
	var b strings.Builder
	enc := yaml.NewEncoder(&b)
	for _, x := range []m{
		job(id+"-map", m{"completionMode": "Indexed", "completions": tasks, "parallelism": tasks},
			"exec gpuprof fleet work "+quote(f.Dir)+" --task \"$JOB_COMPLETION_INDEX\" --tasks "+strconv.Itoa(tasks)),
		job(id+"-reduce", m{}, "exec gpuprof fleet merge "+quote(f.Dir)+" --format json --output "+quote(f.path("answer.json"))),
	} {
		if err := enc.Encode(x); err != nil {
			return "", err
		}
	}
	return b.String(), enc.Close()
}
