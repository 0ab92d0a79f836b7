// The small parts of pages: numbers, names, choices, states.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon";
import { apart, clean, kernel } from "./names";
import { type Delta, num, raw } from "./num";
import { href, set, type State } from "./state";

// Value is a number with its unit; what was measured stands behind it.
export function Value({ v, unit = "", digits = 4 }: { v: number; unit?: string; digits?: number }) {
  const n = num(v, unit, digits);
  return (
    <span class="num" title={raw(v, unit)}>
      {n.text}
      {n.unit && <span class="u">{n.unit}</span>}
    </span>
  );
}

export function Difference({ d, title }: { d: Delta; title?: string }) {
  return (
    <span class={"delta " + (d.way || (d.same ? "same" : ""))} title={title}>
      {d.text}
      {d.unit && <span class="u">{d.unit}</span>}
    </span>
  );
}

// KernelName is a name in the font of code: cut before its tail, which stays.
export function KernelName({ full, tail }: { full: string; tail?: string }) {
  const n = kernel(full).name || clean(full),
    cut = n.length > 30 ? n.length - 14 : n.length;
  return (
    <span class="kn" title={clean(full)}>
      <span class="a">
        <span class="h">{n.slice(0, cut)}</span>
        {cut < n.length && <span class="t">{n.slice(cut)}</span>}
      </span>
      {tail && <span class="z">{tail}</span>}
    </span>
  );
}

export { apart };

// Seg chooses one of a few.
export function Seg<T extends string>({
  label,
  value,
  options,
  pick,
}: {
  label: string;
  value: T;
  options: [T, string][];
  pick: (v: T) => void;
}) {
  return (
    <span class="seg" role="group" aria-label={label}>
      {options.map(([v, text]) => (
        <button key={v} type="button" aria-pressed={v === value} onClick={() => pick(v)}>
          {text}
        </button>
      ))}
    </span>
  );
}

// Pick is a select that looks like the rest.
export function Pick({
  id,
  label,
  value,
  options,
  pick,
  disabled,
}: {
  id?: string;
  label: string;
  value: string;
  options: [string, string][];
  pick: (v: string) => void;
  disabled?: boolean;
}) {
  return (
    <span class="sel">
      <select id={id} aria-label={label} value={value} disabled={disabled} onChange={e => pick(e.currentTarget.value)}>
        {options.map(([v, text]) => (
          <option key={v} value={v}>
            {text}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size="xs" />
    </span>
  );
}

// To leads to a state of the address: an anchor, so that a middle click opens it in a tab.
export function To({
  to,
  class: c,
  children,
  ...rest
}: {
  to: State;
  class?: string;
  children: ComponentChildren;
  title?: string;
  "aria-label"?: string;
  "aria-current"?: "page" | "true" | undefined;
}) {
  return (
    <a
      class={c}
      href={href(to)}
      {...rest}
      onClick={e => {
        if (e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
        e.preventDefault();
        set(to);
      }}
    >
      {children}
    </a>
  );
}

export function Note({
  title,
  icon = "info",
  children,
}: {
  title: string;
  icon?: IconName;
  children?: ComponentChildren;
}) {
  return (
    <div class="state">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Alert({
  kind = "",
  title,
  children,
  tools,
}: {
  kind?: "" | "warn" | "info";
  title?: string;
  children?: ComponentChildren;
  tools?: ComponentChildren;
}) {
  return (
    <div class={"alert " + kind} role={kind ? "status" : "alert"}>
      <Icon name={kind === "info" ? "info" : kind ? "triangle-alert" : "file-warning"} />
      <div>
        {title && <b>{title}</b>} {children}
      </div>
      {tools}
    </div>
  );
}

// Busy holds the place of what is being waited for, and says how long already.
export function Busy({ what, done }: { what: string; done?: number }) {
  const [seconds, tick] = useState(0);
  useEffect(() => {
    const t = setInterval(() => tick(s => s + 1), 1000);
    return () => clearInterval(t);
  }, []);
  return (
    <>
      <div class="progress" aria-hidden="true">
        <i />
      </div>
      <div class="skel" role="status">
        <span class="mut">
          {what}…{done !== undefined && ` ${Math.round(100 * done)} %`}
          {seconds > 0 && ` ${seconds} s`}
        </span>
        {[62, 88, 74, 91, 53].map(w => (
          <i key={w} style={{ width: w + "%" }} />
        ))}
      </div>
    </>
  );
}

// useWidth is how wide an element is, in pixels.
export function useWidth(first = 600): [{ current: HTMLDivElement | null }, number] {
  const at = useRef<HTMLDivElement>(null),
    [w, setW] = useState(first);
  useEffect(() => {
    if (!at.current) return;
    const look = () => at.current && setW(Math.max(120, Math.round(at.current.clientWidth)));
    look();
    const o = new ResizeObserver(look);
    o.observe(at.current);
    return () => o.disconnect();
  }, []);
  return [at, w];
}

// typing tells keys that are text from those that are commands.
export const typing = (e: KeyboardEvent): boolean => {
  const t = e.target;
  return (
    t instanceof HTMLInputElement ||
    t instanceof HTMLTextAreaElement ||
    t instanceof HTMLSelectElement ||
    (t instanceof HTMLElement && (t.isContentEditable || !!t.closest(".cm-editor,dialog")))
  );
};

export const plain = (e: KeyboardEvent): boolean =>
  !e.ctrlKey && !e.metaKey && !e.altKey && !typing(e) && localStorage.getItem("keys") !== "off";

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("The browser refuses to copy: " + text.slice(0, 200));
  }
}

let say: (s: string) => void = () => {};
export const toast = (s: string): void => say(s);
export function Toast() {
  const [text, setText] = useState("");
  useEffect(() => {
    let t = 0;
    say = s => {
      clearTimeout(t);
      setText(s);
      t = window.setTimeout(() => setText(""), 2600);
    };
    return () => {
      say = () => {};
    };
  }, []);
  return (
    <div role="status" aria-live="polite">
      {text && <div class="toast">{text}</div>}
    </div>
  );
}
