import { useEffect, useState } from "preact/hooks";
import { type File, upload } from "./api";
import { ask } from "./ask";

interface Recent {
  id: string;
  name: string;
  folder: string;
  gone: boolean;
}

const get = async <T,>(path: string, method = "GET"): Promise<T> => (await ask(path, { method })).json();

// Start opens further files: chosen, dropped on the window, or opened before.
export function Start({ opened }: { opened: (f: File) => void }) {
  const [recent, setRecent] = useState<Recent[]>([]),
    [error, setError] = useState(""),
    [busy, setBusy] = useState("");
  useEffect(() => {
    get<Recent[]>("/api/recent").then(setRecent, e => setError(e.message));
  }, []);
  const open = async (name: string, made: () => Promise<File>) => {
    setBusy(name);
    setError("");
    try {
      opened(await made());
    } catch (e) {
      setError(e instanceof Error ? e.message : String(e));
    }
    setBusy("");
  };
  const choose = async (e: Event) => {
    for (const f of Array.from((e.currentTarget as HTMLInputElement).files ?? [])) await open(f.name, () => upload(f));
  };
  return (
    <div id="page" data-page="open">
      <h2>Open a profile</h2>
      <p>
        Drop files anywhere on this window, or{" "}
        <label>
          choose them: <input type="file" multiple onChange={choose} />
        </label>
      </p>
      {busy && <p role="status">Opening {busy}…</p>}
      {error && (
        <p role="alert" class="error">
          {error}
        </p>
      )}
      {recent.length > 0 && (
        <>
          <h3>Opened before</h3>
          <ul>
            {recent.map(r => (
              <li key={r.id}>
                {r.gone ? (
                  <s>{r.name}</s>
                ) : (
                  <button class="link" onClick={() => open(r.name, () => get("/api/recent/" + r.id, "POST"))}>
                    {r.name}
                  </button>
                )}{" "}
                <small>
                  {r.folder}
                  {r.gone && ", not there any more"}
                </small>
              </li>
            ))}
          </ul>
          <p>
            <button onClick={() => get<Recent[]>("/api/recent", "DELETE").then(setRecent, e => setError(e.message))}>
              Forget these
            </button>
          </p>
        </>
      )}
    </div>
  );
}
