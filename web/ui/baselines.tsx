import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { type Base, format, mark, parse, perLaunch } from "./base";
import { set, type State } from "./state";

// Baselines chooses what the page is compared with: files, launches, several.
export function Baselines({
  file,
  files,
  name,
  state,
}: {
  file: api.File;
  files: api.File[];
  name: string;
  state: State;
}) {
  const now = parse(state.base),
    put = (bs: Base[]) => set({ base: format(bs) });
  const add = (b: Base) => {
    if (!now.some(o => o.file === b.file && o.launch === b.launch)) put([...now, b]);
  };
  const others = files.filter(
    f => f.id !== file.id && f.kinds?.some(k => k !== "profile" && api.holds(file, k)) && !f.error,
  );
  if (!["summary", "details", "source", "raw", "stats", "analyze", "session", "lifetimes", "info"].includes(name))
    return null;
  const launched = perLaunch(name) && state.launch !== "all";
  return (
    <span class="baselines" role="group" aria-label="Baselines">
      {now.map((b, i) => (
        <span class={"chip b" + (i % 4)} key={format([b])}>
          <i />
          {mark(i)} <Name base={b} files={files} />
          <button
            aria-label={`Remove baseline ${i + 1}`}
            title="Remove"
            onClick={() => put(now.filter((_, k) => k !== i))}
          >
            ×
          </button>
        </span>
      ))}
      {others.length > 0 && (
        <label>
          Baseline{" "}
          <select
            id="baseline"
            value=""
            onChange={e => {
              if (e.currentTarget.value) add({ file: e.currentTarget.value });
              e.currentTarget.value = "";
            }}
          >
            <option value="">add a file…</option>
            {others.map(f => (
              <option value={f.id}>{f.name}</option>
            ))}
          </select>
        </label>
      )}
      {launched && (
        <button
          id="baseline-launch"
          title="Compare other launches with this one"
          onClick={() => add({ file: file.id, launch: Number(state.launch ?? 0) })}
        >
          Baseline: this launch
        </button>
      )}
      {now.length > 0 && (
        <label>
          differences from{" "}
          <input
            id="least"
            type="number"
            min={0}
            step="any"
            size={4}
            value={state.least ?? ""}
            placeholder="0"
            onInput={e => set({ least: e.currentTarget.value }, false)}
          />{" "}
          %
        </label>
      )}
    </span>
  );
}

function Name({ base: b, files }: { base: Base; files: api.File[] }) {
  const [kernel, setKernel] = useState(""),
    f = files.find(f => f.id === b.file);
  useEffect(() => {
    if (b.launch !== undefined)
      api.launches(b.file).then(
        l => setKernel(l[b.launch!]?.kernel ?? ""),
        () => setKernel(""),
      );
  }, [b.file, b.launch]);
  return (
    <span class="name" title={`${f?.name ?? b.file} ${kernel}`}>
      {f?.name ?? "file " + b.file}
      {b.launch === undefined ? "" : ` launch ${b.launch}: ${kernel}`}
    </span>
  );
}
