import { Icon, IconButton } from "../icon";
import { clean } from "../names";
import { set, useAddress } from "../state";
import { ruler } from "./draw";
import { type Layout, type Line, moved, path, position } from "./layout";
import type { Source } from "./model";

const mime = "text/x-gpuprof-track";

interface Props {
  source: Source;
  places: Layout;
  scroll: number;
  shut: Set<string>;
  pins: Set<string>;
  order: string[];
  hidden: Set<string>;
  share: (track: number) => { text: string; waits: boolean } | undefined;
  shape: (change: { shut?: string; pins?: string; order?: string; hide?: string }) => void;
}

// Names are the names of the tracks beside the canvas: they close, pin, hide and move.
export function Names({ source, places, scroll, shut, pins, order, hidden, share, shape }: Props) {
  const state = useAddress();
  const flip = (of: Set<string>, key: string) => {
    const n = new Set(of);
    n.has(key) ? n.delete(key) : n.add(key);
    return [...n].join("|");
  };
  const to = (track: number, place: number) => shape({ order: moved(source, order, track, place).join("|") });
  const drop = (e: DragEvent, l: Line) => {
    const from = e.dataTransfer?.getData(mime);
    if (!from || l.pinned || source.tracks[+from]?.parent !== source.tracks[l.track].parent) return;
    e.preventDefault();
    to(+from, position(source, order, l.track));
  };
  const name = (l: Line) => {
    const t = source.tracks[l.track],
      y = ruler + (l.pinned ? l.y : places.pinnedHeight + l.y - scroll);
    if (y > 4000 || (!l.pinned && y + l.height < ruler + places.pinnedHeight)) return null;
    const close = () => shape({ shut: flip(shut, t.key) }),
      pin = () => shape({ pins: flip(pins, t.key) }),
      pinned = pins.has(t.key),
      s = share(l.track);
    const by = (n: number) => {
      const at = position(source, order, l.track) + n;
      if (at >= 0) to(l.track, at);
    };
    const keys: Record<string, () => void> = {
      ArrowLeft: () => l.shut || close(),
      ArrowRight: () => l.shut && close(),
      Enter: close,
      p: () => l.group || pin(),
    };
    const key = (e: KeyboardEvent) => {
      if (e.target !== e.currentTarget) return;
      const does = e.altKey
        ? ({ ArrowUp: () => by(-1), ArrowDown: () => by(1) } as Record<string, () => void>)[e.key]
        : keys[e.key];
      if (does) {
        e.preventDefault();
        e.stopPropagation();
        does();
      }
    };
    return (
      <div
        key={(l.pinned ? "pinned " : "") + t.key}
        role="treeitem"
        tabIndex={0}
        aria-level={l.level + 1}
        aria-expanded={!l.shut}
        data-track={l.track}
        class={
          "tl-name" + (l.pinned ? " pinned" : "") + (l.group && !l.rows ? " group" : "") + (l.rows > 1 ? " many" : "")
        }
        title={clean(path(source, l.track))}
        style={{ top: `${y}px`, height: `${l.height}px`, paddingLeft: `${l.level * 10 + 2}px` }}
        onKeyDown={key}
        draggable={!l.pinned}
        onDragStart={e => e.dataTransfer?.setData(mime, String(l.track))}
        onDragOver={e => e.dataTransfer?.types.includes(mime) && e.preventDefault()}
        onDrop={e => drop(e, l)}
      >
        {l.group || l.rows > 1 ? (
          <button class="ib" tabIndex={-1} aria-label={(l.shut ? "Open " : "Close ") + clean(t.name)} onClick={close}>
            <Icon name={l.shut ? "chevron-right" : "chevron-down"} size="s" />
          </button>
        ) : (
          <i style={{ width: "20px", flex: "none" }} />
        )}
        {pinned && <i class="pindot" title="pinned" />}
        <span>{clean(l.pinned ? path(source, l.track) : t.name)}</span>
        {t.kind === "counter" && <small>{t.max}</small>}
        {s && <small class={s.waits ? "waits" : ""}>{s.text}</small>}
        <span class="tl-move">
          {!l.pinned && (
            <>
              <IconButton
                icon="chevron-up"
                size="xs"
                tabIndex={-1}
                label={"Move up " + clean(t.name)}
                onClick={() => by(-1)}
              />
              <IconButton
                icon="chevron-down"
                size="xs"
                tabIndex={-1}
                label={"Move down " + clean(t.name)}
                onClick={() => by(1)}
              />
            </>
          )}
          {!l.group && (
            <IconButton
              icon="pin"
              size="xs"
              tabIndex={-1}
              label={(pinned ? "Unpin " : "Pin ") + clean(t.name)}
              aria-pressed={pinned}
              onClick={pin}
            />
          )}
          <IconButton
            icon="x"
            size="xs"
            tabIndex={-1}
            label={"Hide " + clean(t.name)}
            onClick={() => shape({ hide: flip(hidden, t.key) })}
          />
        </span>
      </div>
    );
  };
  return (
    <div class="tl-names">
      <div role="tree" aria-label="Tracks">
        {places.lines.map(name)}
        {places.pinned.map(name)}
      </div>
      <div class="tl-corner">
        <input
          type="text"
          aria-label="Filter tracks"
          placeholder="Filter tracks"
          value={state.filter ?? ""}
          onInput={e => set({ filter: e.currentTarget.value }, false)}
        />
      </div>
    </div>
  );
}
