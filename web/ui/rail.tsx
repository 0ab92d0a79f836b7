import { useState } from "preact/hooks";
import * as api from "./api";
import type { Shell } from "./commands";
import { Icon } from "./icon";
import { Popup, step } from "./menu";
import { To } from "./parts";
import { href, set } from "./state";

// Rail leads to the pages that the file fills; the others stand in More, with the reason.
export function Rail({ shell: s, start }: { shell: Shell; start: boolean }) {
  const [more, setMore] = useState<Element | null>(null),
    { menu, name } = s;
  const link = (e: (typeof menu.rail)[0], c = "") => (
    <To key={e.name} to={{ page: e.name }} class={c} aria-current={!start && e.name === name ? "page" : undefined}>
      <Icon name={e.icon} />
      {e.short ?? e.title}
    </To>
  );
  const out = menu.more.some(m => m.name === name && !m.lacks) ? menu.more.find(m => m.name === name) : undefined;
  return (
    <nav class="rail" aria-label="Pages">
      {menu.rail.slice(0, 5).map(e => link(e))}
      {menu.rail.slice(5).map(e => link(e, "wide"))}
      {menu.rail.length > 0 && <hr />}
      {menu.below.map(e => link(e, "wide"))}
      {out && link(out, "wide")}
      <button aria-haspopup="dialog" aria-expanded={!!more} onClick={e => setMore(more ? null : e.currentTarget)}>
        <Icon name="ellipsis" />
        More
      </button>
      {more && <More shell={s} of={more} close={() => setMore(null)} />}
      <span class="sp" />
      {!api.saved && (
        <To to={{ page: "open" }} class="wide" aria-current={start ? "page" : undefined}>
          <Icon name="plus" />
          Open
        </To>
      )}
    </nav>
  );
}

function More({ shell: s, of, close }: { shell: Shell; of: Element; close: () => void }) {
  const { menu } = s,
    small = innerWidth <= 760,
    all = [
      ...(small ? [...menu.rail.slice(5), ...menu.below] : []),
      ...menu.more,
      ...(small && !api.saved ? [{ name: "open", title: "Open…", icon: "folder-open" as const }] : []),
    ] as typeof menu.more;
  const [at, move] = useState(0);
  const go = (n: number) => {
    const e = all[n];
    if (!e || e.lacks) return;
    close();
    set({ page: e.name });
  };
  return (
    <Popup of={of} label="More pages" class="menu" where="right-start" close={close}>
      <ul
        role="listbox"
        aria-label="More pages"
        tabIndex={0}
        aria-activedescendant={"more" + at}
        onKeyDown={e => {
          const n = step(e, at, all.length);
          if (n !== null) move(n);
          if (e.key === "Enter") go(at);
        }}
      >
        {all.map((e, i) => (
          <li
            key={e.name}
            id={"more" + i}
            role="option"
            aria-selected={i === at}
            aria-disabled={e.lacks ? "true" : undefined}
            onClick={x => (x.ctrlKey || x.metaKey ? window.open(href({ page: e.name })) : go(i))}
            onAuxClick={x => x.button === 1 && window.open(href({ page: e.name }))}
            onMouseMove={() => move(i)}
          >
            <Icon name={e.icon} size="s" />
            <span class="nm">{e.title}</span>
            <small>{e.lacks ?? ""}</small>
          </li>
        ))}
      </ul>
    </Popup>
  );
}
