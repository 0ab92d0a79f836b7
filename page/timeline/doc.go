// Package timeline has the pages about timelines: reports and rules (stats,
// analyze), SQL, flame graphs, conversion, and the catalogue of their tables.
package timeline
