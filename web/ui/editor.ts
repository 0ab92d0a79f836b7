// The editor of SQL: a file of its own, loaded when SQL is opened.
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface Editor {
  text: () => string;
  put: (text: string) => void;
  insert: (text: string) => void;
  focus: () => void;
  stop: () => void;
}

const look = EditorView.theme({
  "&": { backgroundColor: "var(--bg-0)", color: "var(--fg-1)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--accent)", padding: "10px 0", lineHeight: "20px" },
  ".cm-gutters": { backgroundColor: "var(--bg-0)", color: "var(--fg-3)", border: "0", minWidth: "38px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--bg-1)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--accent-soft) !important",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--bg-0)",
    border: "1px solid var(--line-2)",
    borderRadius: "6px",
    boxShadow: "var(--shadow-2)",
  },
  ".cm-tooltip-autocomplete > ul > li": { fontFamily: "var(--mono)", padding: "2px 8px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--fg-1)" },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent)", fontWeight: "700" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--syn-key)", fontWeight: "600" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--syn-num)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--syn-str)" },
  { tag: [tags.typeName], color: "var(--syn-fn)" },
  { tag: [tags.comment], color: "var(--fg-3)" },
]);

// The words of SQLite that queries are made of, and functions that gpuprof's recipes use.
const words =
  "all and as asc between by case cast collate cross current desc distinct else end escape except exists explain filter following from full glob group having in inner intersect is isnull join left like limit materialized natural not notnull null nulls offset on or order outer over partition preceding query range recursive regexp right row rows select then unbounded union unique using values when where window with".split(
    " ",
  );
const functions =
  "abs avg cast coalesce count cume_dist date datetime dense_rank first_value format group_concat hex ifnull iif instr json_extract lag last_value lead length lower ltrim max min nth_value ntile nullif percent_rank printf rank replace round row_number rtrim strftime substr sum time total trim typeof unicode upper".split(
    " ",
  );
const known = new Map([...functions.map(f => [f, "typeName"] as const), ...words.map(w => [w, "keyword"] as const)]);

// A token of SQL; open is what a line before has begun and not ended.
function token(s: StringStream, open: { end: string }): string | null {
  if (open.end) {
    const was = open.end;
    if (s.skipTo(was)) {
      s.match(was);
      open.end = "";
    } else s.skipToEnd();
    return was === "*/" ? "comment" : was === "'" ? "string" : "name";
  }
  if (s.eatSpace()) return null;
  if (s.match("--")) {
    s.skipToEnd();
    return "comment";
  }
  for (const [begin, end] of [
    ["/*", "*/"],
    ["'", "'"],
    ['"', '"'],
    ["`", "`"],
    ["[", "]"],
  ])
    if (s.match(begin)) {
      open.end = end;
      return token(s, open);
    }
  if (s.match(/^(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/i)) return "number";
  const w = s.match(/^[\p{L}_][\p{L}\d_$]*/u);
  if (w) return known.get((w as RegExpMatchArray)[0].toLowerCase()) ?? "name";
  s.next();
  return "operator";
}

// complete names what can stand at the cursor: after "x." the columns of the table, or of that for which
// x stands, else the columns of the tables that the statement names, tables and words.
const complete =
  (schema: Record<string, string[]>) =>
  (c: CompletionContext): CompletionResult | null => {
    const text = c.state.doc.toString(),
      tables = new Map(Object.keys(schema).map(t => [t.toLowerCase(), t])),
      dotted = c.matchBefore(/\w+\.\w*/),
      of = (t: string) => (schema[t] ?? []).map(label => ({ label, type: "property", detail: t }));
    if (dotted) {
      const name = dotted.text.slice(0, dotted.text.indexOf(".")),
        stands = [...text.matchAll(/(\w+)\s+(?:as\s+)?(\w+)/gi)].find(
          m => m[2] === name && tables.has(m[1].toLowerCase()),
        ),
        t = tables.get((stands?.[1] ?? name).toLowerCase());
      return t ? { from: dotted.from + name.length + 1, options: of(t), validFor: /^\w*$/ } : null;
    }
    const word = c.matchBefore(/\w+/);
    if (!word && !c.explicit) return null;
    const named = new Set([...text.matchAll(/\w+/g)].flatMap(m => tables.get(m[0].toLowerCase()) ?? []));
    return {
      from: word?.from ?? c.pos,
      options: [
        ...[...named].flatMap(of),
        ...[...tables.values()].map(label => ({ label, type: "type" })),
        ...words.map(w => ({ label: w.toUpperCase(), type: "keyword" })),
        ...functions.map(label => ({ label, type: "function", apply: label + "(" })),
      ],
      validFor: /^\w*$/,
    };
  };

export function edit(
  parent: HTMLElement,
  text: string,
  schema: Record<string, string[]>,
  run: (sql: string) => void,
  before: () => string | undefined,
  changed: (sql: string) => void,
): Editor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        autocompletion({ override: [complete(schema)] }),
        syntaxHighlighting(colours),
        StreamLanguage.define({
          startState: () => ({ end: "" }),
          copyState: s => ({ ...s }),
          token,
          languageData: { commentTokens: { line: "--", block: { open: "/*", close: "*/" } } },
        }),
        EditorView.contentAttributes.of({ "aria-label": "SQL" }),
        EditorView.lineWrapping,
        EditorView.updateListener.of(u => u.docChanged && changed(u.state.doc.toString())),
        Prec.highest(
          keymap.of([
            { key: "Mod-Enter", run: v => (run(v.state.doc.toString()), true) },
            {
              key: "Mod-ArrowUp",
              run: v => {
                const old = before();
                if (old !== undefined) v.dispatch({ changes: { from: 0, to: v.state.doc.length, insert: old } });
                return true;
              },
            },
          ]),
        ),
        keymap.of([...completionKeymap, ...standardKeymap, ...historyKeymap]),
        look,
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    put: text => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    insert: text => {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    focus: () => view.focus(),
    stop: () => view.destroy(),
  };
}
