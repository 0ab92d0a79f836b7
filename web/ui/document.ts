// The JSON of docs/json.md, with the members for people that the server adds.
export type Cell = number | string | null | Cell[];
export interface Column {
  name: string;
  unit: string;
  type: string;
  role?: string; // what its cells are: docs/json.md lists the roles
}
// A Link says where the rows of a table lead: at names the columns that name the place.
export interface Link {
  to: "launch" | "span" | "slices" | "line" | "rule" | "section" | "set";
  cell: string;
  at: string[];
}
export interface Table {
  id: string;
  title: string;
  description?: string;
  columns: Column[];
  link?: Link;
  rows: Cell[][];
  labels: (string | null)[];
  text: string[][];
  printed?: boolean[]; // of each column whether its numbers are read as text has them: the unit is in the label
  matrix?: Matrix;
  beside?: string; // what names the same stands in one row
  column?: number;
}
// A Matrix lays the rows of a table out in two dimensions: cells are numbers of rows.
export interface Matrix {
  rows: string[];
  columns: string[];
  cells: (number | null)[][];
}
export interface Axis {
  label: string;
  min?: number;
  max?: number;
  log?: boolean;
  mark?: number;
  ticks?: number; // how many places of it are named
  guides?: { at: number; label: string }[];
}
export interface Chart extends Table {
  kind: string;
  upright?: boolean; // bars stand side by side
  bins?: number; // of a histogram of instances
  x: Axis;
  y: Axis;
}
export interface Message {
  type: string;
  title: string;
  text: string;
  source: string;
  speedup: { scope: string; percent: number } | null;
  tables?: Table[];
}
export interface Section {
  id: string;
  title: string;
  description: string;
  group?: string;
  properties?: Record<string, Cell>;
  tables: Table[];
  charts: Chart[];
  messages: Message[];
  sections?: Section[];
}
// notes are what the command would tell beside its output.
export interface Document {
  schema: string;
  title: string;
  sections: Section[];
  notes?: string[];
}

// column is the number of a column by name, or -1.
export const column = (t: Table, name: string): number => t.columns.findIndex(c => c.name === name);

// inRole is the number of the first column in a role, or -1.
export const inRole = (t: Table, role: string): number => t.columns.findIndex(c => c.role === role);

// linked are the numbers of the columns that name the places where rows lead.
export const linked = (t: Table): number[] => t.link?.at.map(n => column(t, n)) ?? [];

// unitOf is the base unit of a number: of its column, else of its row.
export function unitOf(t: Table, r: number, c: number): string {
  const unit = t.columns.findIndex(c => c.type === "unit");
  return t.columns[c].unit || (unit >= 0 ? String(t.rows[r][unit] ?? "") : "");
}
