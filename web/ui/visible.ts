import { options, type VNode } from "preact";

// Names come from files of strangers, and characters that turn the direction of a
// text, or are not seen, make it read as what it is not. They are shown as escapes,
// as the command line shows them; package view/visible lists the same.
const dangerous =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

function escape(c: string): string {
  const at = c.codePointAt(0) ?? 0;
  if (at < 0x80) return "\\x" + at.toString(16).padStart(2, "0");
  return at > 0xffff ? "\\U" + at.toString(16).padStart(8, "0") : "\\u" + at.toString(16).padStart(4, "0");
}

export const visible = (s: string): string => s.replace(dangerous, escape);

// What people read of an element beside the text in it.
const read = ["title", "aria-label", "alt", "placeholder", "label"];

// Every text that the viewer shows passes here, when its node is made. What is drawn
// on a canvas calls visible itself.
const before = options.vnode;
options.vnode = (v: VNode) => {
  const props = v.props as unknown;
  if (typeof props === "string") {
    (v as { props: unknown }).props = visible(props);
  } else if (typeof v.type === "string") {
    const p = props as Record<string, unknown>;
    for (const name of read) {
      const s = p[name];
      if (typeof s === "string") p[name] = visible(s);
    }
  }
  before?.(v);
};
