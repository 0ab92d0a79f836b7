import { useEffect, useState } from "preact/hooks";
import { type File, holds, saved, upload } from "./api";
import { ask } from "./ask";
import { kindIcon, kindName } from "./bar";
import { Icon, IconButton } from "./icon";
import { clean } from "./names";
import { num } from "./num";
import { Alert, To } from "./parts";
import { set, useAddress } from "./state";

interface Recent {
  id: string;
  name: string;
  folder: string;
  gone: boolean;
  size: number;
  changed: string; // when the file was written, RFC 3339
}

const get = async <T,>(path: string, method = "GET"): Promise<T> => (await ask(path, { method })).json();

const formats =
  ".ncu-rep · .nsys-rep · .sqlite · .qdrep · PyTorch .json .pickle · rocprof .csv .db .rpd · .atp · .nvtxt · simulator .log";
const kindOf = (name: string): string =>
  /\.(ncu-rep|nsight-cuprof-report)$/.test(name)
    ? "Kernels"
    : /\.(nsys-rep|qdrep|sqlite|rpd|db|atp|json)(\.gz)?$/.test(name)
      ? "Timeline"
      : /\.nvtxt$/.test(name)
        ? "Annotations"
        : /\.csv$/.test(name)
          ? "Counters"
          : /\.(pickle|pkl)$/.test(name)
            ? "Memory"
            : "Profile";

// ago says how long ago something was.
function ago(at: string): string {
  const s = (Date.now() - Date.parse(at)) / 1000;
  if (!(s >= 0)) return "";
  if (s < 90) return "now";
  if (s < 5400) return `${Math.round(s / 60)} min ago`;
  if (s < 86400) return `${Math.round(s / 3600)} h ago`;
  return new Date(at).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(s > 3e7 ? { year: "numeric" } : {}),
  });
}

// Start opens further files: chosen, dropped on the window, or opened before.
export function Start({ opened, files }: { opened: (f: File, compare?: boolean) => void; files: File[] }) {
  const state = useAddress(),
    [recent, setRecent] = useState<Recent[] | null>(null),
    [error, setError] = useState(""),
    [busy, setBusy] = useState(""),
    [ticked, tick] = useState<string[]>([]);
  useEffect(() => {
    if (!saved)
      get<Recent[] | null>("/api/recent").then(
        r => setRecent(r ?? []),
        e => setError(e.message),
      );
  }, []);
  const open = async (name: string, made: () => Promise<File>): Promise<File | null> => {
    setBusy(name);
    setError("");
    try {
      return await made();
    } catch (e) {
      setError(e instanceof Error ? e.message : String(e));
      return null;
    } finally {
      setBusy("");
    }
  };
  const choose = async (e: Event) => {
    for (const f of Array.from((e.currentTarget as HTMLInputElement).files ?? [])) {
      const o = await open(f.name, () => upload(f));
      if (o) opened(o);
    }
  };
  const reopen = (r: Recent) => open(r.name, () => get<File>("/api/recent/" + r.id, "POST"));
  const together = async (compare: boolean) => {
    const out: File[] = [];
    for (const id of ticked) {
      const is = files.find(f => "open " + f.id === id),
        r = recent?.find(r => r.id === id),
        f = is ?? (r && (await reopen(r)));
      if (f) {
        if (!is) opened(f);
        out.push(f);
      }
    }
    if (out.length)
      set({
        file: out[0].id,
        page: compare && holds(out[0], "launches") ? "compare" : "",
        base: compare
          ? out
              .slice(1)
              .map(f => f.id)
              .join(",")
          : "",
      });
  };
  const flip = (id: string) => tick(t => (t.includes(id) ? t.filter(x => x !== id) : [...t, id])),
    want = (state.filter ?? "").toLowerCase(),
    rows = recent?.filter(r => r.name.toLowerCase().includes(want)) ?? [],
    opens = files.filter(f => f.name.toLowerCase().includes(want));
  return (
    <div id="page" data-page="open" class="start">
      <section class="dropper">
        <span class="di">
          <Icon name="upload" />
        </span>
        <h1>Drop a GPU profile here</h1>
        <p>
          or{" "}
          <label class="btn pri">
            <Icon name="folder-open" size="s" /> Choose files
            <input type="file" multiple class="sr" onChange={choose} aria-label="Choose files" />
          </label>{" "}
          <span class="sec">— it stays on this machine.</span>
        </p>
        <p class="fm">{formats}</p>
      </section>
      {busy && (
        <p role="status" class="mut">
          Opening {clean(busy)}…
        </p>
      )}
      {error && <Alert title="That could not be opened.">{error}</Alert>}
      {(rows.length > 0 || opens.length > 0 || want) && (
        <section class="card rec">
          <header>
            <h2>Files</h2>
            <span class="sub">
              {opens.length} open, {rows.length} opened before
            </span>
            <span class="tools">
              <label class="inp">
                <Icon name="search" size="s" />
                <input
                  type="search"
                  data-filter
                  aria-label="Find a file"
                  placeholder="Find"
                  value={state.filter ?? ""}
                  onInput={e => set({ filter: e.currentTarget.value }, false)}
                />
                <kbd>/</kbd>
              </label>
              {(recent?.length ?? 0) > 0 && (
                <button
                  class="btn ghost"
                  onClick={() =>
                    get<Recent[] | null>("/api/recent", "DELETE").then(
                      r => setRecent(r ?? []),
                      e => setError(e.message),
                    )
                  }
                >
                  Forget all
                </button>
              )}
            </span>
          </header>
          <div class="scrollx" tabIndex={0} role="group" aria-label="Files">
            <table>
              <thead>
                <tr>
                  <th scope="col">
                    <span class="sr">Choose</span>
                  </th>
                  <th scope="col">File</th>
                  <th scope="col">Kind</th>
                  <th scope="col">Holds</th>
                  <th scope="col" class="number">
                    Size
                  </th>
                  <th scope="col" class="number">
                    Written
                  </th>
                  <th scope="col">
                    <span class="sr">Open</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {opens.map(f => (
                  <tr key={"o" + f.id} class={f.error ? "broken" : ""}>
                    <td>
                      <input
                        type="checkbox"
                        aria-label={"Choose " + clean(f.name)}
                        checked={ticked.includes("open " + f.id)}
                        onChange={() => flip("open " + f.id)}
                      />
                    </td>
                    <td>
                      <To to={{ file: f.id, page: "" }} class="fn">
                        <Icon name={kindIcon(f)} size="s" />
                        {clean(f.name)}
                      </To>
                    </td>
                    <td>{kindName(f)}</td>
                    <td class="mut" title={clean(f.error || f.format)}>
                      {f.error ? clean(f.error).slice(0, 80) : `open · ${clean(f.format)}`}
                    </td>
                    <td class="number">
                      {num(f.size, "byte", 2).text} {num(f.size, "byte", 2).unit}
                    </td>
                    <td class="number mut">now</td>
                    <td>
                      <To to={{ file: f.id, page: "" }} class="ib" aria-label={"Show " + clean(f.name)}>
                        <Icon name="chevron-right" size="s" />
                      </To>
                    </td>
                  </tr>
                ))}
                {rows.map(r => (
                  <tr key={r.id}>
                    <td>
                      <input
                        type="checkbox"
                        aria-label={"Choose " + clean(r.name)}
                        disabled={r.gone}
                        checked={ticked.includes(r.id)}
                        onChange={() => flip(r.id)}
                      />
                    </td>
                    <td>
                      {r.gone ? (
                        <s class="mut">{clean(r.name)}</s>
                      ) : (
                        <button class="fn" onClick={() => reopen(r).then(f => f && opened(f))} title={clean(r.folder)}>
                          <Icon name="file" size="s" />
                          {clean(r.name)}
                        </button>
                      )}
                    </td>
                    <td>{kindOf(r.name)}</td>
                    <td class="mut" title={clean(r.folder)}>
                      {r.gone ? "not there any more" : clean(r.folder).replace(/^.*(?=(?:[\\/][^\\/]+){2}$)/, "…")}
                    </td>
                    <td class="number">
                      {r.size ? `${num(r.size, "byte", 2).text} ${num(r.size, "byte", 2).unit}` : ""}
                    </td>
                    <td class="number mut">{r.changed ? ago(r.changed) : ""}</td>
                    <td>
                      {!r.gone && (
                        <IconButton
                          icon="chevron-right"
                          size="s"
                          label={"Open " + clean(r.name)}
                          onClick={() => reopen(r).then(f => f && opened(f))}
                        />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {ticked.length > 1 && (
            <footer>
              <span>{ticked.length} chosen</span>
              <button class="btn pri" onClick={() => together(false)}>
                Open together
              </button>
              <button class="btn" onClick={() => together(true)}>
                <Icon name="git-compare" size="s" /> Compare
              </button>
              <span class="mut">The first is compared with the second.</span>
            </footer>
          )}
        </section>
      )}
      <section class="hints">
        <div>
          <h2>From a shell</h2>
          <pre>
            <span class="mut">$</span> gpuprof open report.ncu-rep{"\n"}
            <span class="mut">$</span> gpuprof open new.ncu-rep old.ncu-rep{"\n"}
            <span class="mut">$</span> gpuprof export -o report.html report.ncu-rep
          </pre>
        </div>
        <div>
          <h2>Keys worth knowing</h2>
          <dl>
            {[
              ["Ctrl K", "find a metric, kernel, page or command"],
              ["[ ]", "previous, next launch"],
              ["b", "this launch becomes the baseline"],
              ["/", "filter what is shown"],
              ["n p", "next, previous hot spot"],
              ["?", "all keys of the page"],
            ].map(([k, what]) => (
              <div key={k}>
                <dt>
                  {k.split(" ").map(x => (
                    <kbd key={x}>{x}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </div>
      </section>
    </div>
  );
}
