// The editor of SQL: a file of its own, loaded when SQL is opened.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { sql, SQLite } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
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
  { tag: [tags.standard(tags.name), tags.typeName], color: "var(--syn-fn)" },
  { tag: [tags.comment], color: "var(--fg-3)" },
]);

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
        autocompletion(),
        syntaxHighlighting(colours),
        sql({ dialect: SQLite, schema, upperCaseKeywords: true }),
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
