package ncurep

import "testing"

func dumpRules(t *testing.T, r *Result) []any {
	list := []any{}
	rules, err := r.Rules()
	check(t, err)
	for _, rule := range rules {
		items, markers := []any{}, []any{}
		if rule.Body != nil {
			for _, it := range rule.Body.Items {
				items = append(items, dumpRuleItem(it))
			}
		}
		for _, m := range rule.Markers {
			d := dict{}
			set(d, "Kind", m.Kind)
			set(d, "Line", m.Line)
			set(d, "Address", m.Address)
			set(d, "Message", m.Text)
			set(d, "MsgType", m.Type)
			set(d, "FileName", m.File)
			markers = append(markers, d)
		}
		list = append(list, dict{"id": rule.Identifier, "name": rule.DisplayName, "section": orNull(rule.SectionIdentifier), "items": items, "markers": markers})
	}
	return list
}

func dumpRuleItem(it *RuleItem) dict {
	d := dict{}
	if m := it.Message; m != nil {
		x := dict{"Message": m.Text, "Type": m.Type}
		set(x, "MessageId", m.ID)
		set(x, "Name", m.Name)
		d["Message"] = x
	}
	for _, m := range it.FocusMetrics {
		x := dict{}
		set(x, "MessageId", m.MessageID)
		set(x, "MetricName", m.Name)
		set(x, "MetricValue", m.Value)
		set(x, "Severity", m.Severity)
		set(x, "Info", m.Info)
		d["FocusMetric"] = x
	}
	if s := it.Speedup; s != nil {
		x := dict{}
		set(x, "Type", s.Type)
		set(x, "EstimatedSpeedup", s.Value)
		d["Speedup"] = x
	}
	if s := it.SourceMetricTable; s != nil {
		metrics := []any{}
		for _, m := range s.Metrics {
			metrics = append(metrics, dict{"Name": m.Name})
		}
		x := dict{"Metrics": metrics}
		set(x, "Label", s.Label)
		d["SourceTable"] = x
	}
	return d
}

// dumpNvtx leaves out states without ranges, as the dump does.
func dumpNvtx(s *NvtxState) any {
	if !s.hasRanges() {
		return nil
	}
	d := dict{}
	var domains, threads, open []any
	for _, v := range s.Domains {
		domains = append(domains, dict{"Id": v.ID, "Name": v.Name})
	}
	for _, v := range s.Threads {
		var stacks []any
		for _, p := range v.Domains {
			var stack []any
			for _, r := range p.Stack {
				stack = append(stack, dumpRange(r))
			}
			x := dict{"Id": p.ID}
			setList(x, "Stack", stack)
			stacks = append(stacks, x)
		}
		x := dict{"TID": v.TID}
		setList(x, "PushPopDomains", stacks)
		threads = append(threads, x)
	}
	for _, v := range s.StartEndDomains {
		open = append(open, dict{"Id": v.ID})
	}
	setList(d, "Domains", domains)
	setList(d, "Threads", threads)
	setList(d, "StartEndDomains", open)
	set(d, "DefaultDomain", s.DefaultDomain)
	return d
}

func setList(d dict, key string, list []any) {
	if list != nil {
		d[key] = list
	}
}

func dumpRange(r *NvtxPushPopRange) dict {
	d := dict{"Name": r.Name}
	if a := r.Attributes; a != nil {
		color, payload, message := dict{"ColorType": a.Color.Type}, dict{"PayloadType": a.Payload.Type}, dict{"MessageType": a.Message.Type}
		set(color, "Color", a.Color.Color)
		set(message, "message", a.Message.Text)
		d["Attributes"] = dict{"Version": a.Version, "Category": a.Category, "Color": color, "Payload": payload, "Message": message}
	}
	set(d, "LastApiCallId", r.LastAPICallID)
	return d
}
