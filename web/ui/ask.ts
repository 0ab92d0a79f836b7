// What the viewer asks its server for goes through here. The token comes once in
// the fragment of the address and stays in this tab's session storage: a cookie
// would be sent to the servers of others on this machine too.
const key = "token";

export function takeToken(): void {
  const p = new URLSearchParams(location.hash.slice(1)),
    t = p.get("token");
  if (!t) return;
  sessionStorage.setItem(key, t);
  p.delete("token");
  history.replaceState(null, "", "#" + p);
}

// Tabs of this viewer, which no other site can listen to, pass the token on to
// one that was opened from them.
const tabs = new BroadcastChannel("gpuprof");
tabs.onmessage = e => {
  const t = sessionStorage.getItem(key);
  if (e.data === "token?" && t) tabs.postMessage({ token: t });
  else if (e.data?.token && !t) {
    sessionStorage.setItem(key, e.data.token);
    given();
  }
};
let given = (): void => {};

// shared resolves when this tab has a token, or none of the others answers.
export const shared = (): Promise<void> =>
  new Promise(done => {
    if (sessionStorage.getItem(key)) return done();
    given = done;
    tabs.postMessage("token?");
    setTimeout(done, 200);
  });

// keep takes the address that gpuprof printed, or the token in it.
export function keep(address: string): void {
  sessionStorage.setItem(
    key,
    address
      .trim()
      .replace(/^.*token=/, "")
      .replace(/&.*$/, ""),
  );
  location.reload();
}

export class Locked extends Error {}

const send = (path: string, init: RequestInit): Promise<Response> =>
  fetch(path, { ...init, headers: { Authorization: "Bearer " + (sessionStorage.getItem(key) ?? "") } });

// ask is fetch with the token; an answer that is an error is thrown. A token of a viewer that
// has ended is given up for that of the one that runs, where another tab has it.
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const had = sessionStorage.getItem(key);
  let r = await send(path, init);
  if (r.status === 401 && had) {
    if (sessionStorage.getItem(key) === had) sessionStorage.removeItem(key);
    await shared();
    if (sessionStorage.getItem(key)) r = await send(path, init);
  }
  if (r.status === 401) throw new Locked("this tab has no token, or one of a viewer that has ended");
  if (!r.ok) throw new Error((await r.text()).trim() || `the server answered ${r.status}`);
  return r;
}

// download saves an answer as a file: by an address that opens once, so that the
// browser need not send the token.
export async function download(path: string, name: string): Promise<void> {
  const a = document.createElement("a"),
    sold: { path: string } = await (
      await ask("/api/once?" + new URLSearchParams({ to: path }), { method: "POST" })
    ).json();
  a.href = sold.path;
  a.download = name;
  a.click();
}
