// The theme: that of the address, else the one chosen before, else the system's.
const kept = (): string => {
  try {
    return localStorage.getItem("theme") ?? "";
  } catch {
    return "";
  }
};

const system = matchMedia("(prefers-color-scheme: dark)");
let asked = "";

export const dark = (): boolean => {
  const t = asked || kept();
  return t ? t === "dark" : system.matches;
};

export function theme(ofAddress?: string): void {
  asked = ofAddress === "dark" || ofAddress === "light" ? ofAddress : "";
  const root = document.documentElement;
  root.dataset.theme = asked || kept();
  if (dark()) root.dataset.dark = "";
  else delete root.dataset.dark;
  dispatchEvent(new Event("theme"));
}

export function choose(t: "dark" | "light" | ""): void {
  try {
    if (t) localStorage.setItem("theme", t);
    else localStorage.removeItem("theme");
  } catch {
    /* it then holds for this page */
  }
  asked = "";
  theme(t || undefined);
  asked = "";
}

system.addEventListener("change", () => theme(asked));
