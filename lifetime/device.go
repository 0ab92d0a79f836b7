package lifetime

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"go.yaml.in/yaml/v3"
)

// DeviceTable describes memory technologies. It is read from JSON or YAML; every number is
// optional, and what is not given is not projected:
//
//	{
//	  "name": "my cells",
//	  "reference": "sram",
//	  "devices": [
//	    {"key": "sram", "name": "SRAM 6T", "area_per_bit": 0.0504, "source": "..."},
//	    {"key": "si", "name": "Silicon gain cell", "area_per_bit": 0.0262,
//	     "retention": [{"write_mhz": 100, "ns": 2000}, {"write_mhz": 1000, "ns": 500}],
//	     "read_energy_per_bit": 1.2, "write_energy_per_bit": 1.5,
//	     "refresh_energy_per_bit": 2.7, "leakage_per_bit": 0.01, "source": "..."}
//	  ]
//	}
type DeviceTable struct {
	Name      string   `json:"name"`
	Note      string   `json:"note,omitempty"`
	Reference string   `json:"reference"`           // key of the device that others are compared with
	AreaUnit  string   `json:"area_unit,omitempty"` // of area_per_bit; um2 if not given
	Devices   []Device `json:"devices"`
}

// Device is one memory technology.
type Device struct {
	Key    string `json:"key"`  // short name, unique in the table
	Name   string `json:"name"` // for display, and in the report's refreshes
	Source string `json:"source,omitempty"`
	Node   string `json:"node,omitempty"` // process, such as "16 nm FinFET"
	// Process is another name of Node in tables; there is none in what was read.
	Process string `json:"process,omitempty"`

	// Retention is how long data last without refresh, by how often the memory
	// can be written: cells that are written faster leak faster. A device without
	// it keeps its data as long as it has power.
	Retention []Retention `json:"retention,omitempty"`
	// NoRetention marks a device that needs refreshing but for which no figure is
	// given: no refreshes can be projected.
	NoRetention bool `json:"retention_unknown,omitempty"`

	AreaPerBit    *float64 `json:"area_per_bit,omitempty"`           // in the table's AreaUnit
	ReadEnergy    *float64 `json:"read_energy_per_bit,omitempty"`    // fJ
	WriteEnergy   *float64 `json:"write_energy_per_bit,omitempty"`   // fJ
	RefreshEnergy *float64 `json:"refresh_energy_per_bit,omitempty"` // fJ; read + write energy if not given
	Leakage       *float64 `json:"leakage_per_bit,omitempty"`        // nW
}

// Retention is a device's retention time at write frequencies up to WriteMHz.
type Retention struct {
	WriteMHz float64 `json:"write_mhz"`
	NS       float64 `json:"ns"`
}

// Static reports whether the device keeps its data without refresh.
func (d *Device) Static() bool { return len(d.Retention) == 0 && !d.NoRetention }

// RetentionNS returns the retention time at a write frequency: that of the slowest
// point of the table which is at least as fast. It is +Inf for a static device and
// NaN where none is known, or where no point is fast enough.
func (d *Device) RetentionNS(writeMHz float64) float64 {
	if d.Static() {
		return math.Inf(1)
	}
	best, at := math.NaN(), math.Inf(1)
	for _, r := range d.Retention {
		if r.WriteMHz >= writeMHz && r.WriteMHz < at {
			best, at = r.NS, r.WriteMHz
		}
	}
	return best
}

// Find returns the device with the given key, nil if there is none.
func (t *DeviceTable) Find(key string) *Device {
	for i := range t.Devices {
		if t.Devices[i].Key == key {
			return &t.Devices[i]
		}
	}
	return nil
}

// maxDevices bounds a table.
const maxDevices = 256

// maxDeviceBytes bounds the file of a table.
const maxDeviceBytes = 4 << 20

// ReadDevices reads a device table and checks it. It is in YAML if its name ends in
// .yaml or .yml, with the keys that the JSON has.
func ReadDevices(r io.Reader, name string) (*DeviceTable, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxDeviceBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(b) > maxDeviceBytes {
		return nil, fmt.Errorf("%s: expected a device table of at most %d bytes, found more", name, maxDeviceBytes)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	text := b // as the user wrote it
	if ext := strings.ToLower(path.Ext(name)); ext == ".yaml" || ext == ".yml" {
		if b, err = yamlToJSON(b); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	t, err := gainSightDevices(b, name)
	if t == nil && err == nil {
		t, err = plainDevices(b, text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// plainDevices reads the form that DeviceTable shows. What is wrong is said in the
// words of the file, with line and column where its text is JSON.
func plainDevices(b, text []byte) (*DeviceTable, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	t := new(DeviceTable)
	err := dec.Decode(t)
	if err == nil {
		return t, nil
	}
	at := dec.InputOffset()
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	found := err.Error()
	switch {
	case errors.As(err, &wrong):
		at, found = wrong.Offset, wrongKind(wrong)
	case errors.As(err, &syntax):
		at = syntax.Offset
		found = "expected JSON, found " + strings.TrimPrefix(syntax.Error(), "json: ")
	case strings.Contains(found, "unknown field "):
		field := strings.Trim(found[strings.Index(found, "unknown field ")+len("unknown field "):], `"`)
		found = fmt.Sprintf("unknown field %q%s; a table has %s", field, spelling.Nearest(field, deviceFields), strings.Join(deviceFields, ", "))
		if k := bytes.Index(text, []byte(field)); k >= 0 {
			at, b = int64(k), text
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, found = int64(len(b)), "expected a device table, found the end of the file"
	}
	if !bytes.Equal(b, text) { // of a table in YAML the place is not known
		return nil, errors.New(found)
	}
	line, column := placeOf(b, at)
	return nil, fmt.Errorf("line %d, column %d: %s", line, column, found)
}

// wrongKind says what stands where something else belongs.
func wrongKind(e *json.UnmarshalTypeError) string {
	value := strings.TrimPrefix(e.Value, "number ")
	for from, to := range map[string]string{"array": "a list", "object": "an object", "string": "a text", "bool": "true or false", "number": "a number"} {
		if value == from {
			value = to
		}
	}
	kind := map[string]string{"float64": "a number", "string": "a text", "bool": "true or false"}[e.Type.String()]
	switch {
	case e.Field == "":
		return "expected an object with the list \"devices\", found " + value
	case kind == "" && e.Type.Kind() == reflect.Slice:
		kind = "a list"
	case kind == "":
		kind = "an object"
	}
	return fmt.Sprintf("expected %s for %s, found %s", kind, e.Field, value)
}

// deviceFields are the names that a table may have.
var deviceFields = []string{"name", "note", "reference", "area_unit", "devices", "key", "source", "node", "process", "retention", "write_mhz", "ns", "retention_unknown",
	"area_per_bit", "read_energy_per_bit", "write_energy_per_bit", "refresh_energy_per_bit", "leakage_per_bit"}

func placeOf(b []byte, at int64) (line, column int) {
	before := b[:min(max(at, 0), int64(len(b)))]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// gainSightDevices reads the forms that GainSight's front end takes: an object of
// devices, each with retention times by write frequency, or with area, read_power,
// write_power and refresh_power. Only the names are public: that frequencies are in
// MHz and times in ns is a guess, and the note says so. nil: it is none of them.
func gainSightDevices(b []byte, name string) (*DeviceTable, error) {
	var top map[string]json.RawMessage
	if json.Unmarshal(b, &top) != nil || top["devices"] != nil || len(top) == 0 || len(top) > maxDevices {
		return nil, nil
	}
	t := &DeviceTable{Name: path.Base(name), Note: "A device file of GainSight's form, whose units are not public: frequencies are taken as MHz, times as ns, areas as um2 per bit, energies as fJ per bit. That is a guess."}
	for _, key := range slices.Sorted(maps.Keys(top)) {
		var values map[string]float64
		if json.Unmarshal(top[key], &values) != nil || len(values) == 0 {
			return nil, nil
		}
		d := Device{Key: key, Name: key, Source: path.Base(name)}
		for _, k := range slices.Sorted(maps.Keys(values)) {
			v := values[k]
			if mhz, err := strconv.ParseFloat(k, 64); err == nil {
				d.Retention = append(d.Retention, Retention{WriteMHz: mhz, NS: v})
				continue
			}
			switch low := strings.ToLower(k); {
			case strings.HasPrefix(low, "area"):
				d.AreaPerBit = &v
			case strings.HasPrefix(low, "read"):
				d.ReadEnergy = &v
			case strings.HasPrefix(low, "write"):
				d.WriteEnergy = &v
			case strings.HasPrefix(low, "refresh"):
				d.RefreshEnergy = &v
			case strings.HasPrefix(low, "leak"):
				d.Leakage = &v
			default:
				return nil, fmt.Errorf("device %q: unknown field %q%s", key, k, spelling.Nearest(low, []string{"area", "read_power", "write_power", "refresh_power", "leakage"}))
			}
		}
		d.NoRetention = len(d.Retention) == 0 && !strings.Contains(strings.ToLower(key), "sram")
		if t.Reference == "" || strings.Contains(strings.ToLower(key), "sram") {
			t.Reference = key
		}
		t.Devices = append(t.Devices, d)
	}
	return t, nil
}

// Nodes are the processes that the devices of a table are of, without repeats.
func (t *DeviceTable) Nodes() []string {
	var out []string
	for i := range t.Devices {
		if n := t.Devices[i].Node; n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// yamlToJSON makes the JSON of a document in YAML, so that both forms are read by
// the same rules.
func yamlToJSON(b []byte) ([]byte, error) {
	var doc any
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

func (t *DeviceTable) check() error {
	if len(t.Devices) == 0 {
		return errors.New("a device table without devices")
	}
	if t.AreaUnit == "" {
		t.AreaUnit = "um2"
	}
	if len(t.Devices) > maxDevices {
		return fmt.Errorf("%d devices, at most %d are allowed", len(t.Devices), maxDevices)
	}
	for i := range t.Devices {
		d := &t.Devices[i]
		if d.Key == "" {
			return fmt.Errorf("device %d has no key", i+1)
		}
		if t.Find(d.Key) != d {
			return fmt.Errorf("two devices have the key %q", d.Key)
		}
		if d.Name == "" {
			d.Name = d.Key
		}
		d.Node, d.Process = cmp.Or(d.Node, d.Process), ""
		for _, p := range []struct {
			name string
			v    *float64
		}{{"area_per_bit", d.AreaPerBit}, {"read_energy_per_bit", d.ReadEnergy}, {"write_energy_per_bit", d.WriteEnergy}, {"refresh_energy_per_bit", d.RefreshEnergy}, {"leakage_per_bit", d.Leakage}} {
			if p.v != nil && *p.v < 0 {
				return fmt.Errorf("device %q: %s is negative", d.Key, p.name)
			}
		}
		for _, r := range d.Retention {
			if !(r.NS > 0) || !(r.WriteMHz >= 0) {
				return fmt.Errorf("device %q: a retention of %v ns at %v MHz; both must be positive", d.Key, r.NS, r.WriteMHz)
			}
		}
	}
	if t.Reference == "" {
		return fmt.Errorf("the table names no reference device; expected \"reference\" with the key of one, such as %q", t.Devices[0].Key)
	}
	if t.Find(t.Reference) == nil {
		var keys []string
		for i := range t.Devices {
			keys = append(keys, t.Devices[i].Key)
		}
		return fmt.Errorf("the reference device %q is not in the table%s", t.Reference, spelling.Nearest(t.Reference, keys))
	}
	return nil
}

//go:embed published_devices.json
var publishedDevices []byte

// PublishedDevices are memories of which figures are published, each with its source
// and its process: SRAM, gain cells, embedded DRAM.
func PublishedDevices() *DeviceTable {
	t := new(DeviceTable)
	if err := json.Unmarshal(publishedDevices, t); err != nil {
		return &DeviceTable{Name: "published: " + err.Error()}
	}
	return t
}

//go:embed guide_devices.json
var guideDevices []byte

// GuideDevices are the technologies of the report in GainSight's guide, with what
// can be derived from it: relative areas. It gives no retention and no energy, and
// neither do we invent them.
func GuideDevices() *DeviceTable {
	t := new(DeviceTable)
	if err := json.Unmarshal(guideDevices, t); err != nil {
		return &DeviceTable{Name: "guide: " + err.Error()}
	}
	return t
}
