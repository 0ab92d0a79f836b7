package ncurep

import "reflect"

// An Item is the normal form of what a section body or a rule shows. Whoever
// asks what there is to show reads this and no message of a single kind.
type Item struct {
	Kind          ItemKind
	Chart         bool // drawn over X and Y
	Label         Opt[string]
	Description   Opt[string]
	Metrics       []*SectionMetric // in the order of the definition, those of groups and rows included
	Highlight     []*SectionMetric // places on the x axis to mark
	BaseNames     []*SectionMetric // rows of a suffix table
	Suffixes      []*Suffix        // columns of a suffix table
	SortKey       Opt[SortKey]
	SortDirection Opt[SortDirection]
	X, Y          Axis
	Bins          int64          // of a histogram; 0: not said
	Rows          uint32         // of a list of source locations; 0: not said
	Columns       uint32         // of a table that is laid out as a grid; 0: not said
	ColumnMajor   bool           // such a table is filled column by column
	Vertical      bool           // bars stand side by side
	Roofline      *RooflineChart // of a roofline chart
	Items         []*BodyItem    // of a container
}

// ItemKind is the kind of an [Item]. What has no constant here is called as its
// field of [BodyItem] in the format: items of which a report gives no more than
// the label.
type ItemKind string

// The kinds of items that say themselves what they show.
const (
	ItemTable       ItemKind = "table"
	ItemBars        ItemKind = "bar"
	ItemHistogram   ItemKind = "histogram"
	ItemLines       ItemKind = "line"
	ItemContainer   ItemKind = "container"
	ItemRoofline    ItemKind = "roofline"
	ItemSources     ItemKind = "source" // source locations with the highest values of a metric
	ItemSuffixTable ItemKind = "suffix"
	ItemTimeline    ItemKind = "timeline"
)

// An Axis is the normal form of an axis.
type Axis struct {
	Label    string
	Min, Max Opt[float64]
	Log      bool
	Ticks    int64 // places of it that are named; 0: not said
}

// content is what the message of an item has for its normal form. An item
// without a kind is called as its field.
type content interface{ item() Item }

// Item is the normal form of it; false if it shows nothing known.
func (it *BodyItem) Item() (Item, bool) { return itemOf(it) }

// Item is the normal form of the table or chart of it; false if it is none.
func (it *RuleItem) Item() (Item, bool) { return itemOf(it) }

func itemOf[M any](it *M) (Item, bool) {
	v := reflect.ValueOf(it).Elem()
	for _, f := range Describe[M]().fields {
		c, ok := v.Field(f.at).Interface().(content)
		if !ok || v.Field(f.at).IsNil() {
			continue
		}
		out := c.item()
		if out.Kind == "" {
			out.Kind = ItemKind(f.Name)
		}
		return out, true
	}
	return Item{}, false
}

// NewRuleItem returns the item of a table or chart of metrics; nil if rules have
// none of that kind.
func NewRuleItem(kind ItemKind, label, description string, metrics []*SectionMetric) *RuleItem {
	it := new(RuleItem)
	v := reflect.ValueOf(it).Elem()
	for _, f := range Describe[RuleItem]().fields {
		if f.Of == nil {
			continue
		}
		m := reflect.New(f.Of.typ)
		c, ok := m.Interface().(content)
		if !ok || c.item().Kind != kind || f.Of.Field("Metrics") == nil {
			continue
		}
		m.Elem().FieldByName("Label").Set(reflect.ValueOf(Some(label)))
		m.Elem().FieldByName("Description").Set(reflect.ValueOf(Some(description)))
		m.Elem().FieldByName("Metrics").Set(reflect.ValueOf(metrics))
		v.Field(f.at).Set(m)
		return it
	}
	return nil
}
