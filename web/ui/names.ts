import { visible } from "./visible";

// How names are written: kernels without what they all have, cut in the middle, and
// told apart by what differs.

// clean shows characters that would turn the text around as what they are.
export const clean = visible;

export interface Kernel {
  full: string;
  space: string; // its namespaces, with ::
  name: string; // of the function
  args: string; // template arguments, with < >
  params: string; // with ( )
}

// split finds the last bracketed part that ends a text: its beginning, or -1.
function open(s: string, l: string, r: string): number {
  if (!s.endsWith(r)) return -1;
  let depth = 0;
  for (let i = s.length - 1; i >= 0; i--) {
    if (s[i] === r && !(r === ">" && s[i - 1] === "-")) depth++;
    else if (s[i] === l) {
      depth--;
      if (depth === 0) return i;
    }
  }
  return -1;
}

const known = new Map<string, Kernel>();

export function kernel(full: string): Kernel {
  let k = known.get(full);
  if (k) return k;
  let s = clean(full)
      .replace(/\((?:unsigned )?(?:int|long|bool|short|char|long long)\)(?=[-\d])/g, "")
      .replace(/ \[clone [^\]]*\]$/, ""),
    params = "",
    args = "";
  const p = open(s, "(", ")");
  if (p > 0) {
    params = s.slice(p);
    s = s.slice(0, p);
  }
  const a = open(s, "<", ">");
  if (a > 0) {
    args = s.slice(a);
    s = s.slice(0, a);
  }
  s = s.replace(/^(?:(?:static|void|int|float|double|bool|unsigned|long|__global__) )+/, "");
  let cut = -1;
  for (let i = s.length - 1, depth = 0; i > 0; i--) {
    if (s[i] === ">" || s[i] === ")") depth++;
    else if (s[i] === "<" || s[i] === "(") depth--;
    else if (depth === 0 && s[i] === ":" && s[i - 1] === ":") {
      cut = i + 1;
      break;
    }
  }
  k = { full: clean(full), space: cut > 0 ? s.slice(0, cut) : "", name: cut > 0 ? s.slice(cut) : s, args, params };
  if (known.size > 20000) known.clear();
  known.set(full, k);
  return k;
}

export const short = (full: string): string => kernel(full).name || clean(full);

// plain is the name of a range or a call without what differs at each time: numbers of operations, versions.
export const plainName = (s: string): string =>
  clean(s)
    .replace(/, (?:op_id|seq|sizes|input_op_ids)\b.*$/, "")
    .replace(/_v\d+(?:_pt\w+)?$/, "");

// parts are the top-level arguments of a list in brackets.
function parts(args: string): string[] {
  const out: string[] = [];
  let depth = 0,
    from = 1;
  for (let i = 1; i < args.length - 1; i++) {
    const c = args[i];
    if (c === "<" || c === "(" || c === "[") depth++;
    else if (c === ">" || c === ")" || c === "]") depth--;
    else if (c === "," && depth === 0) {
      out.push(args.slice(from, i).trim());
      from = i + 1;
    }
  }
  if (args.length > 2) out.push(args.slice(from, -1).trim());
  return out;
}

const functor =
  /(?:[A-Za-z_]\w*(?:Functor|Ops|Op|Impl|Kernel|functor|_kernel_cuda|_kernel_impl|_op)\w*|CUDAFunctor\w*)/g;

// tells is what a template is made for: its functors, else its last plain argument.
function tells(k: Kernel): string {
  const all = [...new Set((k.args + k.params).match(functor) ?? [])].filter(
    f => f !== k.name && f !== "gpu_kernel_impl" && f !== "gpu_kernel_impl_nocast",
  );
  if (all.length) {
    const dt = /\b(bfloat16|bf16|__half|half|float|double)\b/.exec(k.args)?.[1];
    return all.slice(0, 2).join(" · ") + (dt && !all.join().includes(dt) ? `<${dt}>` : "");
  }
  const ps = parts(k.args);
  return ps.length
    ? `<${ps
        .map(p => (p.length > 22 ? p.replace(/^.*::/, "").replace(/<.*$/, "…") : p))
        .slice(0, 6)
        .join(", ")}>`
    : "";
}

// A Named is a name as a table shows it: what it is called, and what tells it from
// others that are called so.
export interface Named {
  head: string;
  tail: string;
}

// apart writes names so that each differs from the others: by function alone where that
// does, else with the functor, else with the arguments in which they differ.
export function apart(fulls: string[]): Named[] {
  const ks = fulls.map(kernel),
    heads = new Map<string, Set<string>>();
  for (const k of ks) {
    if (!heads.has(k.name)) heads.set(k.name, new Set());
    heads.get(k.name)!.add(k.full);
  }
  const seen = new Map<string, Set<string>>();
  const first = ks.map(k => {
    const tail = (heads.get(k.name)?.size ?? 0) > 1 ? tells(k) : "";
    const key = k.name + " " + tail;
    if (!seen.has(key)) seen.set(key, new Set());
    seen.get(key)!.add(k.full);
    return { head: k.name, tail };
  });
  return first.map((n, i) => {
    const same = [...(seen.get(n.head + " " + n.tail) ?? [])];
    if (same.length < 2) return n;
    const mine = parts(ks[i].args),
      others = same.filter(f => f !== ks[i].full).map(f => parts(kernel(f).args));
    const differ = mine
      .filter((p, k) => others.some(o => o[k] !== p))
      .map(p => (p.length > 26 ? "…" + p.slice(-24) : p));
    const where = differ.length
      ? `<${differ.slice(0, 3).join(", ")}>`
      : ks[i].space !== kernel(same[0]).space
        ? ks[i].space.slice(0, -2)
        : `#${same.indexOf(ks[i].full) + 1}`;
    return { head: n.head, tail: n.tail ? `${n.tail} ${where}` : where };
  });
}

// middle cuts a text to so many letters in its middle: the tail tells most.
export function middle(s: string, n: number): string {
  if (s.length <= n) return s;
  if (n < 2) return "";
  if (n < 14) return s.slice(0, n - 1) + "…";
  const tail = Math.min(Math.floor(n / 2), 14);
  return s.slice(0, Math.max(1, n - tail - 1)) + "…" + (tail ? s.slice(-tail) : "");
}

// file is the last part of a path.
export const base = (path: string): string => path.replace(/^.*[\\/]/, "");

// title is a file's name as the bar shows it: without its ending, two parts told apart.
export function fileTitle(name: string): { name: string; ending: string } {
  const m = /^(.+?)((?:\.[A-Za-z][\w-]{0,10}){1,2})$/.exec(clean(name));
  return m ? { name: m[1].replaceAll("__", " · "), ending: m[2] } : { name: clean(name), ending: "" };
}

const kinds: [RegExp, number][] = [
  [/nccl|rccl|all_?reduce|all_?gather|reduce_?scatter|sendrecv|all_?to_?all|broadcast_kernel_comm|nvshmem/i, 2],
  [/flash|attention|attn|fmha|mha_|softmax/i, 1],
  [/gemm|nvjet|cutlass|xmma|cublas|matmul|Cijk_|wgrad|dgrad|conv|implicit_/i, 3],
  [/copy|memcpy|memset|CatArray|transpose|permute|fill|gather|scatter|direct_copy/i, 7],
  [/reduce|norm|sum_|mean|cub::|Reduction/i, 4],
  [/elementwise|pointwise|Functor|activation|gelu|silu|relu|add_|mul_|triton_poi/i, 6],
];
// What the categories are called, in the order of their colours from 1.
export const kindNames = ["", "Attention", "Communication", "GEMM", "Reduce, norm", "Other", "Elementwise", "Copy"];

const kindOf = new Map<string, number>();
// kind is the category of a kernel by its name, 1 to 7: a guess of ours, and said to be one.
export function kind(full: string): number {
  let k = kindOf.get(full);
  if (k === undefined) {
    k = kinds.find(([re]) => re.test(full))?.[1] ?? 5;
    if (kindOf.size > 50000) kindOf.clear();
    kindOf.set(full, k);
  }
  return k;
}
