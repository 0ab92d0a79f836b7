// How code looks: words, numbers and texts of C++, opcodes and operands of instructions.
import type { ComponentChild } from "preact";
import { clean } from "./names";

const words =
  /^(?:__global__|__device__|__host__|__shared__|__constant__|__restrict__|__forceinline__|alignas|asm|auto|bool|break|case|char|const|constexpr|continue|default|do|double|else|enum|extern|false|float|for|half|if|inline|int|int32_t|int64_t|long|namespace|nullptr|operator|private|public|return|short|signed|size_t|sizeof|static|struct|switch|template|this|true|typedef|typename|uint32_t|uint64_t|unsigned|using|void|volatile|while)$/;
const token =
  /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(\b\d[\w.]*\b)|([A-Za-z_]\w*)|([^\w"'/]+|\/)/g;

export function cpp(text: string): ComponentChild[] {
  const out: ComponentChild[] = [],
    s = clean(text).replace(/\t/g, "    ").slice(0, 2000);
  for (const m of s.matchAll(token)) {
    if (m[1]) out.push(<i class="xc">{m[1]}</i>);
    else if (m[2]) out.push(<i class="xs">{m[2]}</i>);
    else if (m[3]) out.push(<i class="xn">{m[3]}</i>);
    else if (m[4] && words.test(m[4])) out.push(<i class="xk">{m[4]}</i>);
    else out.push(m[0]);
  }
  return out;
}

const memory = new Set(["load", "store", "atomic", "copy", "texture"]),
  branch = new Set(["control", "synchronize"]);

export function sass(text: string, kind: string): ComponentChild[] {
  const s = clean(text),
    m = /^(@!?U?P\w+\s+)?(\S+)(.*)$/.exec(s);
  if (!m) return [s];
  const c = kind === "tensor" ? "ot" : memory.has(kind) ? "om" : branch.has(kind) ? "ob" : "";
  return [m[1] ?? "", <b class={c}>{m[2]}</b>, m[3]];
}
